import {
  CircleQuestionMark,
  CreditCard,
  FileText,
  House,
  type LucideIcon,
  MessageSquare,
  Settings,
  Users,
  Waypoints,
} from 'lucide-react';

export const NAVIGATION: { href: string; label: string; icon: LucideIcon }[] = [
  { href: '/', label: 'Home', icon: House },
  { href: '/rules', label: 'Rules', icon: Waypoints },
  { href: '/discord', label: 'Discord', icon: MessageSquare },
  { href: '/notion', label: 'Notion', icon: FileText },
  { href: '/accounts', label: 'Accounts', icon: Users },
  { href: '/settings', label: 'Settings', icon: Settings },
  { href: '/settings/billing', label: 'Billing', icon: CreditCard },
  { href: '/help', label: 'Help', icon: CircleQuestionMark },
];
