import { authHandler } from '@/lib/auth/auth-handler';

export { authHandler as GET, authHandler as POST };
