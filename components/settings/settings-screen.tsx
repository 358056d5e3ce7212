'use client';

import { Card, CardHeader } from '@/components/ui/card';
import { Fact, Facts } from '@/components/ui/facts';
import { PageHeader } from '@/components/ui/page-header';
import { useLoadedMe } from '@/lib/client/resources';
import { AccountFile } from './account-file';
import { DangerZone } from './danger-zone';
import { IdentityLinking } from './identity-linking';
import { PreferencesCard } from './preferences-card';

export function SettingsScreen() {
  const { user } = useLoadedMe();
  return (
    <>
      <PageHeader title="Account Settings" description="Manage your account and identity links" />
      <div className="space-y-4">
        <Card aria-labelledby="information-title">
          <CardHeader id="information-title" title="Account Information" />
          <Facts columns={3} className="border-t px-5 py-4">
            <Fact name="Discord Username">{user.discordUsername ?? 'Not available'}</Fact>
            <Fact name="Discord User ID" mono>
              {user.discordUserId ?? 'Not available'}
            </Fact>
            <Fact name="Email">{user.email ?? 'Not available'}</Fact>
          </Facts>
        </Card>
        <IdentityLinking user={user} />
        <PreferencesCard />
        <AccountFile />
        <DangerZone />
      </div>
    </>
  );
}
