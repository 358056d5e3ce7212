import type Stripe from 'stripe';
import type { StoredEndpoint } from './stripe-state';

export function toEndpoint(
  stored: StoredEndpoint,
): Pick<
  Stripe.WebhookEndpoint,
  | 'id'
  | 'object'
  | 'api_version'
  | 'application'
  | 'created'
  | 'description'
  | 'enabled_events'
  | 'livemode'
  | 'metadata'
  | 'status'
  | 'url'
> {
  return {
    id: stored.id,
    object: 'webhook_endpoint',
    api_version: stored.apiVersion,
    application: null,
    created: 0,
    description: null,
    enabled_events: stored.events,
    livemode: false,
    metadata: {},
    status: stored.status,
    url: stored.url,
  };
}

/** The customer portal's default settings, once a person has saved them. */
export function toPortalConfiguration(
  appUrl: string,
): Pick<
  Stripe.BillingPortal.Configuration,
  'id' | 'object' | 'active' | 'default_return_url' | 'is_default' | 'livemode'
> {
  return {
    id: 'bpc_sandbox',
    object: 'billing_portal.configuration',
    active: true,
    default_return_url: appUrl,
    is_default: true,
    livemode: false,
  };
}
