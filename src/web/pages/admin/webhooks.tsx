import * as z from 'zod'
import { type WebhookEvent, webhookEvents } from '../../../contract/entities/admin/webhook'
import {
  createWebhook,
  deleteWebhook,
  setWebhookEnabled,
  updateWebhook,
} from '../../../domain/webhooks/change'
import { findWebhook, findWebhooks, type Webhook } from '../../../domain/webhooks/find'
import type { TextKey } from '../../../lib/translate'
import { WebhookSecret } from '../../components/admin/webhook-outcome'
import { Day } from '../../components/day'
import { checkboxes, checkboxValues, textField, tickedOf } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const path = '/admin/webhooks'

const eventTexts: Readonly<Record<WebhookEvent, TextKey>> = {
  'account.approved': 'admin.webhooks.signUpApprovedAccount',
  'account.created': 'admin.webhooks.somebodySignsUpAccount',
  'account.updated': 'admin.webhooks.accountChangesAccountUpdated',
  'report.created': 'admin.webhooks.reportComesReportCreated',
  'report.updated': 'admin.webhooks.reportChangesReportUpdated',
  'status.created': 'admin.webhooks.postPublishedStatusCreated',
  'status.updated': 'admin.webhooks.postEditedStatusUpdated',
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
  title: 'admin.webhooks.webhooks',
  one: 'admin.webhooks.webhook',
  access: 'manageWebhooks',
  order: 700,
  intro: 'admin.webhooks.eventsSentAddressYours',
  form,
  fields: [
    { name: 'url', label: 'field.address', hint: 'admin.webhooks.address.hint', maxlength: 4_096 },
    ...webhookEvents.map((name) => ({ name, label: eventTexts[name], kind: 'checkbox' as const })),
    {
      name: 'template',
      label: 'field.template',
      kind: 'lines',
      hint: 'admin.webhooks.template.hint',
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
    badges: enabled ? [] : ['admin.disabled'],
    names: events,
    lines: failingSince === null ? [] : [<Failing since={failingSince} />],
  }),
  add: {
    label: 'admin.webhooks.addAWebhook',
    runAndShow: async (ctx, moderator, input) => {
      const { secret } = await createWebhook(ctx, moderator, orderOf(input))
      return <WebhookSecret secret={secret} />
    },
  },
  change,
  acts: [
    {
      verb: 'enable',
      label: 'admin.enable',
      notice: 'admin.webhooks.eventsDeliveredAgain',
      isOffered: ({ enabled }) => !enabled,
      run: (ctx, moderator, id) => setWebhookEnabled(ctx, moderator, id, true),
    },
    {
      verb: 'disable',
      label: 'admin.disable',
      notice: 'admin.webhooks.noEventsDeliveredAny',
      isOffered: ({ enabled }) => enabled,
      run: (ctx, moderator, id) => setWebhookEnabled(ctx, moderator, id, false),
    },
  ],
  remove: { label: 'admin.delete', effect: 'admin.webhooks.logDeletedToo', run: deleteWebhook },
}

function Failing({ since }: { readonly since: Date }) {
  const t = useTranslation()
  return <>{t.rich('admin.webhooks.failsSince', { day: () => <Day at={since} withTime /> })}</>
}

export const webhooksPage = memberPage(resourceList(webhooks))
export const webhookPage = memberPage(resourceEntry({ ...webhooks, change }))
