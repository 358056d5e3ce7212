import type { Metadata } from 'next';
import { DiscordScreen } from '@/components/discord/discord-screen';

export const metadata: Metadata = { title: 'Discord' };

export default function DiscordPage() {
  return <DiscordScreen />;
}
