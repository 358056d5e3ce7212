export { logoutHandler as GET } from '@/lib/auth/logout-handler';
