import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { WebhookEvent } from '../../contract/entities/admin/webhook'
import type { WebhookDeliveryId, WebhookId } from '../../lib/ids'
import { flag, id, instant, json } from '../query'
export const webhooks = sqliteTable('webhooks', {
  id: id<WebhookId>('id').primaryKey(),
  url: text('url').notNull().unique(),
  events: json<readonly WebhookEvent[]>('events').notNull(),
  /** Empty: the payload as it is. */
  template: text('template').notNull().default(''),
  secretVersion: integer('secret_version').notNull().default(1),
  /** Encrypted; null from before, until it is filled in. */
  sealedSecret: text('sealed_secret'),
  enabled: flag('enabled').notNull().default(true),
  /** First failure since the last success. */
  failingSince: instant('failing_since'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Alerts to the operator, one row a cause. */
export const alerts = sqliteTable('alerts', {
  cause: text('cause').primaryKey(),
  since: instant('since').notNull(),
  notifiedAt: instant('notified_at').notNull(),
  /** End of the cause; null while it lasts. */
  resolvedAt: instant('resolved_at'),
  /** Number of what failed, or percent of the quota, when it was last stored. */
  figure: integer('figure').notNull(),
})

/** Deliveries to webhooks: pending ones, and the log of the last. */
export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  id: id<WebhookDeliveryId>('id').primaryKey(),
  webhookId: id<WebhookId>('webhook_id').notNull(),
  event: text('event').$type<WebhookEvent>().notNull(),
  /** Row of the outbox that caused it. */
  sourceId: id<number>('source_id').notNull(),
  objectId: id<number>('object_id').notNull(),
  occurredAt: instant('occurred_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  state: text('state', { enum: ['pending', 'delivered', 'failed'] })
    .notNull()
    .default('pending'),
  /** Status of the last response; null where there was none. */
  httpStatus: integer('http_status'),
  error: text('error'),
  durationMs: integer('duration_ms'),
  attemptedAt: instant('attempted_at'),
  /** Due time of the next attempt; null once delivered or failed. */
  nextAttemptAt: instant('next_attempt_at'),
})
