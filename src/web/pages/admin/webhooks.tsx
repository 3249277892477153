import * as z from 'zod'
import { type WebhookEvent, webhookEvents } from '../../../contract/entities/admin/webhook'
import {
  createWebhook,
  deleteWebhook,
  setWebhookEnabled,
  updateWebhook,
} from '../../../domain/webhooks/change'
import { findWebhook, findWebhooks, type Webhook } from '../../../domain/webhooks/find'
import { message } from '../../../lib/translate'
import { WebhookSecret } from '../../components/admin/webhook-outcome'
import { Day } from '../../components/day'
import { checkboxes, checkboxValues, textField, tickedOf } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const path = '/admin/webhooks'

const eventTexts: Readonly<Record<WebhookEvent, string>> = {
  'account.approved': message('A sign-up is approved (account.approved)'),
  'account.created': message('Somebody signs up (account.created)'),
  'account.updated': message('An account changes (account.updated)'),
  'report.created': message('A report comes in (report.created)'),
  'report.updated': message('A report changes (report.updated)'),
  'status.created': message('A post is published (status.created)'),
  'status.updated': message('A post is edited (status.updated)'),
}

const form = z.object({ url: textField(4_096), ...checkboxes(webhookEvents), template: textField(10_000) })

function orderOf(input: z.output<typeof form>) {
  const { url, template } = input
  return { url, events: tickedOf(webhookEvents, input), template }
}

const change: Required<Resource<typeof form, Webhook>>['change'] = {
  find: findWebhook,
  values: ({ url, events, template }) => ({
    url,
    template,
    ...checkboxValues(webhookEvents, events),
  }),
  run: (ctx, moderator, id, input) => updateWebhook(ctx, moderator, id, orderOf(input)),
}

const webhooks: Resource<typeof form, Webhook> = {
  path,
  title: message('Webhooks'),
  one: message('Webhook'),
  access: 'manageWebhooks',
  order: 700,
  intro: message(
    'Events are sent to an address of yours, signed with its secret, and again for two days until it answers.',
  ),
  form,
  fields: [
    { name: 'url', label: message('Address'), hint: message('It begins with https.'), maxlength: 4_096 },
    ...webhookEvents.map((name) => ({ name, label: eventTexts[name], kind: 'checkbox' as const })),
    {
      name: 'template',
      label: message('Template'),
      kind: 'lines',
      hint: message('Text with names such as object.id in double braces, in place of the payload.'),
      maxlength: 10_000,
      isOptional: true,
    },
  ],
  find: findWebhooks,
  pageLength: null,
  entry: ({ id, url, events, enabled, failingSince }) => ({
    id,
    name: url,
    href: `${path}/${id}/deliveries`,
    badges: [...(enabled ? [] : [message('disabled')]), ...events],
    lines: failingSince === null ? [] : [<Failing since={failingSince} />],
  }),
  add: {
    label: message('Add a webhook'),
    runAndShow: async (ctx, moderator, input) => {
      const { secret } = await createWebhook(ctx, moderator, orderOf(input))
      return ({ site, viewer }) => <WebhookSecret site={site} viewer={viewer} secret={secret} />
    },
  },
  change,
  acts: [
    {
      verb: 'enable',
      label: message('Enable'),
      notice: message('Events are delivered again.'),
      isOffered: ({ enabled }) => !enabled,
      run: (ctx, moderator, id) => setWebhookEnabled(ctx, moderator, id, true),
    },
    {
      verb: 'disable',
      label: message('Disable'),
      notice: message('No events are delivered any more.'),
      isOffered: ({ enabled }) => enabled,
      run: (ctx, moderator, id) => setWebhookEnabled(ctx, moderator, id, false),
    },
  ],
  remove: { label: message('Delete'), effect: message('Its log is deleted too.'), run: deleteWebhook },
}

function Failing({ since }: { readonly since: Date }) {
  const t = useTranslation()
  return <>{t.rich('fails since <day></day>', { day: () => <Day at={since} withTime /> })}</>
}

export const webhooksPage = memberPage(resourceList(webhooks))
export const webhookPage = memberPage(resourceEntry({ ...webhooks, change }))
