/** Events of webhooks, in the order of Mastodon's form. */
export const webhookEvents = [
  'account.approved',
  'account.created',
  'account.updated',
  'report.created',
  'report.updated',
  'status.created',
  'status.updated',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
