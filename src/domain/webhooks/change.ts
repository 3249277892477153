import { eq, sql } from 'drizzle-orm'
import { type WebhookEvent, webhookEvents } from '../../contract/entities/admin/webhook'
import { execute, orNotFound } from '../../db/query'
import { webhooks } from '../../db/schema'
import { Conflict, Forbidden, Invalid } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { WebhookId } from '../../lib/ids'
import { addressProblem } from '../../lib/outgoing'
import type { Ctx } from '../../ports/ctx'
import { changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { hasPermission, type Permission } from '../policy/permissions'
import { clearSubscriptions, findWebhook, mostWebhooks, newWebhookSecret, type Webhook } from './find'
import { openLine } from './post'

/** Fields of a webhook that administrators set. */
export interface WebhookOrder {
  readonly url: string
  readonly events: readonly string[]
  readonly template: string
}

const mostTemplateCharacters = 10_000

/** Permission to read what an event carries, required to subscribe to it. Source: Mastodon. */
const permissionOf: Readonly<Record<WebhookEvent, Permission>> = {
  'account.approved': 'manageUsers',
  'account.created': 'manageUsers',
  'account.updated': 'manageUsers',
  'report.created': 'manageReports',
  'report.updated': 'manageReports',
  'status.created': 'viewDevops',
  'status.updated': 'viewDevops',
}

/**
 * Creates a webhook. `Invalid` for bad fields, `Forbidden` for events that the moderator may not read. Returns its id and
 * secret.
 */
export async function createWebhook(
  ctx: Ctx,
  moderator: Moderator,
  order: WebhookOrder,
): Promise<{ readonly id: WebhookId; readonly secret: string }> {
  const fields = checked(ctx, moderator, order)
  const id: WebhookId = ctx.ids.next()
  const now = ctx.clock.now()
  const { secret, sealedSecret } = await newWebhookSecret(ctx, id)
  const changes = new Changes()
    .require(isFree(fields.url, 0), new Invalid('taken', { field: 'url' }))
    .require(
      sql`(select count(*) from ${webhooks}) < ${mostWebhooks}`,
      new Invalid('too_many_webhooks', { max: mostWebhooks }),
    )
    .add(ctx.db.insert(webhooks).values({ id, ...fields, sealedSecret, createdAt: now, updatedAt: now }))
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: targetOf({ id, url: fields.url }),
    after: auditValues(fields),
  })
  await commitAndClearCache(ctx, changes)
  return { id, secret }
}

/**
 * Changes the fields given. Errors as for creating; `NotFound` for an unknown webhook, `Conflict` where it changed
 * meanwhile.
 */
export async function updateWebhook(
  ctx: Ctx,
  moderator: Moderator,
  id: WebhookId,
  patch: Partial<WebhookOrder>,
): Promise<void> {
  const webhook = await webhookOrNotFound(ctx, id)
  const { url, events, template } = webhook
  const fields = checked(ctx, moderator, { url, events, template, ...patch })
  const changes = requireUnchanged(webhook)
    .require(isFree(fields.url, id), new Invalid('taken', { field: 'url' }))
    .add(
      ctx.db
        .update(webhooks)
        .set({ ...fields, updatedAt: ctx.clock.now() })
        .where(eq(webhooks.id, id)),
    )
  recordAudit(ctx, changes, moderator, {
    action: 'update',
    target: targetOf(webhook),
    ...changedValues(auditValues(webhook), auditValues(fields)),
  })
  await commitAndClearCache(ctx, changes)
}

/**
 * Enables or disables a webhook; enabling forgets earlier failures. Pending deliveries of a disabled one are dropped.
 * Nothing happens to one that is so already; `Conflict` where it changed meanwhile.
 */
export async function setWebhookEnabled(
  ctx: Ctx,
  moderator: Moderator,
  id: WebhookId,
  enabled: boolean,
): Promise<void> {
  const webhook = await webhookOrNotFound(ctx, id)
  if (enabled) requireEvents(moderator, webhook.events)
  if (webhook.enabled === enabled && webhook.failingSince === null) return
  const changes = requireUnchanged(webhook).add(
    ctx.db
      .update(webhooks)
      .set({ enabled, failingSince: null, updatedAt: ctx.clock.now() })
      .where(eq(webhooks.id, id)),
  )
  recordAudit(ctx, changes, moderator, {
    action: enabled ? 'enable' : 'disable',
    target: targetOf(webhook),
    ...changedValues({ enabled: webhook.enabled }, { enabled }),
  })
  await commitAndClearCache(ctx, changes)
}

/** Gives a webhook a new secret, returned: requests are signed with it from now on. `Conflict` where another did so meanwhile. */
export async function rotateWebhookSecret(ctx: Ctx, moderator: Moderator, id: WebhookId): Promise<string> {
  const webhook = await webhookOrNotFound(ctx, id)
  const { secret, sealedSecret } = await newWebhookSecret(ctx, id)
  const secretVersion = webhook.secretVersion + 1
  const isSame = sql`exists (select 1 from webhooks w where w.id = ${id}
    and w.secret_version = ${webhook.secretVersion})`
  const changes = new Changes()
    .require(isSame, new Conflict('secret_rotated'))
    .add(
      ctx.db
        .update(webhooks)
        .set({ secretVersion, sealedSecret, updatedAt: ctx.clock.now() })
        .where(eq(webhooks.id, id)),
    )
  recordAudit(ctx, changes, moderator, { action: 'rotate_secret', target: targetOf(webhook) })
  await commit(ctx, changes)
  return secret
}

/** Deletes a webhook with its log. `Conflict` where it changed meanwhile. */
export async function deleteWebhook(ctx: Ctx, moderator: Moderator, id: WebhookId): Promise<void> {
  const webhook = await webhookOrNotFound(ctx, id)
  const changes = requireUnchanged(webhook).add(ctx.db.delete(webhooks).where(eq(webhooks.id, id)))
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: targetOf(webhook),
    before: auditValues(webhook),
  })
  await commitAndClearCache(ctx, changes)
}

export async function webhookOrNotFound(ctx: Ctx, id: WebhookId): Promise<Webhook> {
  const webhook = await execute(ctx.db, orNotFound(findWebhook(ctx, id)))
  return webhook
}

function requireUnchanged({ id, url, events, template, enabled }: Webhook): Changes {
  const isSame = sql`exists (select 1 from webhooks w where w.id = ${id} and w.url = ${url}
    and json(w.events) = json(${JSON.stringify(events)}) and w.template = ${template} and w.enabled = ${Number(enabled)})`
  return new Changes().require(isSame, new Conflict('webhook_changed'))
}

async function commitAndClearCache(ctx: Ctx, changes: Changes): Promise<void> {
  await commit(ctx, changes)
  clearSubscriptions(ctx)
}

function targetOf({ id, url }: Pick<Webhook, 'id' | 'url'>) {
  return { type: 'webhook' as const, id, label: new URL(url).host }
}

/** Paths and queries of such addresses often are secrets, so the audit log names the host alone. */
function auditValues({ url, events, template }: Pick<Webhook, 'url' | 'events' | 'template'>) {
  return { host: new URL(url).host, events, template }
}

function isFree(url: string, except: WebhookId) {
  return sql`not exists (select 1 from webhooks w where w.url = ${url} and w.id <> ${except})`
}

function checked(ctx: Ctx, moderator: Moderator, order: WebhookOrder) {
  const url = order.url.trim()
  const names = [...new Set(order.events.map((name) => name.trim()).filter((name) => name !== ''))]
  const events = webhookEvents.filter((name) => names.includes(name))
  const template = order.template.trim()
  const { federation, ownDomains } = ctx.config
  const badAddress = addressProblem(url, { testHosts: federation.testHosts, ownHosts: ownDomains })
  const problems = [
    ...(badAddress === null ? [] : [{ code: badAddress, values: { field: 'url' } }]),
    ...(names.length === 0 ? [problem('blank', { field: 'events' })] : []),
    ...(names.length === events.length ? [] : [problem('invalid', { field: 'events' })]),
    ...templateProblems(template),
  ]
  if (problems.length > 0) throw new Invalid(problems)
  requireEvents(moderator, events)
  return { url, events, template }
}

function templateProblems(template: string): readonly Problem[] {
  if (template.length > mostTemplateCharacters)
    return [problem('too_long', { field: 'template', max: mostTemplateCharacters })]
  const line = openLine(template)
  const [field, opening, closing] = ['template', '{{', '}}']
  return line === null ? [] : [problem('invalid_template', { field, line, opening, closing })]
}

function requireEvents({ permissions }: Moderator, events: readonly WebhookEvent[]): void {
  if (events.every((event) => hasPermission(permissions, permissionOf[event]))) return
  throw new Forbidden('events_too_high')
}
