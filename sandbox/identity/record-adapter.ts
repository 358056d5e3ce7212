import type { Slice } from '../store';
import type { IdentityState } from './identity-state';

type Payload = Record<string, unknown>;

/** oidc-provider's storage, kept in the sandbox's store so that logins survive a restart. */
export function recordAdapter(state: Slice<IdentityState>) {
  return class RecordAdapter {
    constructor(private readonly model: string) {}

    async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
      forgetExpired(state.value);
      state.value.records[this.key(id)] = {
        payload,
        expiresAt: expiresIn ? Date.now() + expiresIn * 1000 : null,
      };
      state.save();
    }

    async find(id: string): Promise<Payload | undefined> {
      const record = state.value.records[this.key(id)];
      return record && !isExpired(record) ? record.payload : undefined;
    }

    async findByUid(uid: string): Promise<Payload | undefined> {
      return this.all().find((payload) => payload['uid'] === uid);
    }

    async findByUserCode(userCode: string): Promise<Payload | undefined> {
      return this.all().find((payload) => payload['userCode'] === userCode);
    }

    async consume(id: string): Promise<void> {
      const record = state.value.records[this.key(id)];
      if (record) record.payload['consumed'] = Math.floor(Date.now() / 1000);
      state.save();
    }

    async destroy(id: string): Promise<void> {
      delete state.value.records[this.key(id)];
      state.save();
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, record] of Object.entries(state.value.records)) {
        if (key.startsWith(`${this.model}:`) && record.payload['grantId'] === grantId) {
          delete state.value.records[key];
        }
      }
      state.save();
    }

    private key(id: string): string {
      return `${this.model}:${id}`;
    }

    private all(): Payload[] {
      return Object.entries(state.value.records)
        .filter(([key, record]) => key.startsWith(`${this.model}:`) && !isExpired(record))
        .map(([, record]) => record.payload);
    }
  };
}

function isExpired(record: { expiresAt: number | null }): boolean {
  return record.expiresAt !== null && record.expiresAt <= Date.now();
}

function forgetExpired(state: IdentityState): void {
  for (const [key, record] of Object.entries(state.records)) {
    if (isExpired(record)) delete state.records[key];
  }
}
