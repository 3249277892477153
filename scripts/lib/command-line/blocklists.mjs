// Commands of the group domains about lists of limits: files, subscriptions, exceptions.
import * as z from 'zod'
import { arg, Done, flag, numericId, option, optional, readTextFile, several } from './declare.mjs'
import { Effects, effectsOf, Listed } from './domain-effects.mjs'

const List = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  checked_at: z.string().nullable(),
  next_check_at: z.string().nullable(),
  error: z.string().nullable(),
  has_pending_changes: z.boolean(),
})
const Changes = Effects.extend({
  changes: z.array(Listed.extend({ id: z.string(), change: z.string() })),
  count: z.int(),
})
const Exception = z.object({
  id: z.string(),
  domain: z.string(),
  comment: z.string(),
  created_at: z.string(),
})
const limits = '/api/fieldfare/v1/admin/domain_blocks'
const lists = '/api/fieldfare/v1/admin/blocklists'
const showingChanges = [`GET ${lists}/:id/changes`, `GET ${lists}/:id/preview`]
const list = arg('ID', 'Id of the subscription', numericId)
const chosen = several(
  'CHANGE',
  'Ids of changes, as changes shows them; without any all of them',
  numericId,
  0,
)

export const blocklistCommands = [
  {
    name: 'import',
    summary: 'Takes limits from a CSV file in the format of Mastodon',
    args: [arg('FILE', 'The CSV file')],
    options: { overwrite: flag('Changes existing limits as well') },
    calls: [`POST ${limits}/import/preview`, `POST ${limits}/import`],
    result: z.object({ imported: z.int() }),
    effects: async ({ input, instance }) => {
      const csv = readTextFile(input.file)
      const { conflicts, ...preview } = await instance.admin('POST', 'domain_blocks/import/preview', { csv })
      return { ...preview, conflicts: conflicts.map(conflictOf) }
    },
    effectLines: (preview) => [
      ...preview.added.map((one) => `new       ${one.domain}  ${one.severity}`),
      ...preview.conflicts.map(
        (one) => `conflict  ${one.domain}  ${one.severity}, limited already: ${one.existing}`,
      ),
      ...preview.excepted.map((domain) => `excepted  ${domain}`),
      `${preview.unchanged_count} lines change nothing. Suspensions affect ${effectsOf(preview)}.`,
    ],
    destroys: (input, preview) => {
      const limits = countOf(input, preview)
      return limits === 0 ? '' : `import ${limits} limits`
    },
    run: async ({ input, instance, effects }) => {
      const imported = countOf(input, effects)
      const { overwrite = false } = input
      if (imported > 0)
        await instance.admin('POST', 'domain_blocks/import', { csv: readTextFile(input.file), overwrite })
      return { imported }
    },
    lines: ({ imported }) => [
      imported === 0 ? 'There is nothing to import.' : `${imported} limits are being made in the background.`,
    ],
  },
  {
    name: 'export',
    summary: 'Prints every limit as such a file',
    calls: [`GET ${limits}/export`],
    result: z.object({ csv: z.string() }),
    run: ({ instance }) => instance.admin('GET', 'domain_blocks/export'),
    lines: ({ csv }) => [csv],
  },
  {
    name: 'lists',
    summary: 'Subscriptions to published lists, fetched every day',
    calls: [`GET ${lists}`],
    result: z.object({ lists: z.array(List) }),
    run: async ({ instance }) => ({ lists: await instance.every(lists, { limit: 100 }, 500) }),
    lines: ({ lists: found }) => (found.length === 0 ? ['There are no subscriptions.'] : found.map(lineOf)),
  },
  {
    name: 'subscribe',
    summary: 'Subscribes to a published list, which then proposes what it contains',
    args: [arg('URL', 'Address of the list'), optional('TITLE', 'Name for it', z.string())],
    calls: [`POST ${lists}`],
    result: List,
    run: ({ input: { url, title = '' }, instance }) => instance.call('POST', lists, { url, title }),
    lines: (one) => [`Subscribed: ${one.id}  ${one.title}. Its limits wait for you: changes ${one.id}.`],
  },
  {
    name: 'changes',
    summary: 'Changes that a list proposes',
    args: [list],
    calls: showingChanges,
    result: Changes,
    run: changesOf,
    lines: changeLines,
  },
  {
    name: 'approve',
    summary: 'Makes these changes, or all of them',
    args: [list, chosen],
    calls: [...showingChanges, `POST ${lists}/:id/approve`],
    result: List,
    effects: changesOf,
    effectLines: changeLines,
    destroys: ({ change }, { count }) =>
      `make ${change.length === 0 ? `all ${count} changes` : `${change.length} of these changes`}`,
    run: ({ input, instance }) => instance.call('POST', `${lists}/${input.id}/approve`, decision(input)),
    lines: () => ['Approved: they take effect in the background.'],
  },
  {
    name: 'reject',
    summary: 'Rejects these changes, or all of them',
    args: [list, chosen],
    calls: [`POST ${lists}/:id/reject`],
    result: List,
    run: ({ input, instance }) => instance.call('POST', `${lists}/${input.id}/reject`, decision(input)),
    lines: () => ['Rejected.'],
  },
  {
    name: 'check',
    summary: 'Fetches a list now',
    args: [list],
    calls: [`POST ${lists}/:id/check`],
    result: List,
    run: ({ input, instance }) => instance.call('POST', `${lists}/${input.id}/check`),
    lines: () => ['The list is being fetched.'],
  },
  {
    name: 'unsubscribe',
    summary: 'Ends a subscription',
    args: [list],
    options: { lift: flag('Lifts its limits') },
    calls: [`DELETE ${lists}/:id`],
    result: Done,
    destroys: ({ lift }) => (lift ? 'lift all limits of the list' : ''),
    run: ({ input: { id, lift = false }, instance }) => instance.call('DELETE', `${lists}/${id}`, { lift }),
    lines: (_result, { lift }) => [
      lift ? 'The subscription has ended; its limits are being lifted.' : 'The subscription has ended.',
    ],
  },
  {
    name: 'exceptions',
    summary: 'Domains that no list limits',
    calls: [`GET ${limits}/exceptions`],
    result: z.object({ exceptions: z.array(Exception) }),
    run: async ({ instance }) => ({
      exceptions: await instance.every(`${limits}/exceptions`, { limit: 200 }, 500),
    }),
    lines: ({ exceptions }) =>
      exceptions.length === 0
        ? ['There are no exceptions.']
        : exceptions.map((one) => `${one.id}  ${one.domain}  ${one.comment}`),
  },
  {
    name: 'except',
    summary: 'Keeps all lists from limiting a domain and its subdomains',
    args: [arg('DOMAIN', 'Host of the other server')],
    options: { note: option('TEXT', 'Reason for moderators') },
    calls: [`POST ${limits}/exceptions`],
    result: Exception,
    run: ({ input: { domain, note = '' }, instance }) =>
      instance.call('POST', `${limits}/exceptions`, { domain, comment: note }),
    lines: (one) => [`No list limits ${one.domain}.`],
  },
  {
    name: 'unexcept',
    summary: 'Ends an exception',
    args: [arg('ID', 'Id of the exception', numericId)],
    calls: [`DELETE ${limits}/exceptions/:id`],
    result: Done,
    run: ({ input, instance }) => instance.call('DELETE', `${limits}/exceptions/${input.id}`),
    lines: () => ['The exception has ended.'],
  },
]

function countOf({ overwrite }, { added, conflicts }) {
  return added.length + (overwrite ? conflicts.length : 0)
}

function decision({ change }) {
  return change.length === 0 ? { all: true } : { change_ids: change }
}

function conflictOf({ listed, existing_domain_block: existing }) {
  return { ...listed, existing: existing.severity }
}

/** The newest 500 changes that a list proposes, how many there are, and what their suspensions affect. */
async function changesOf({ input: { id }, instance }) {
  const changes = await instance.every(`${lists}/${id}/changes`, { limit: 120 }, 500)
  const {
    added_count: added,
    changed_count: changed,
    removed_count: removed,
    ...effects
  } = await instance.call('GET', `${lists}/${id}/preview`)
  return { changes, count: added + changed + removed, ...effects }
}

function changeLines(found) {
  return [
    ...found.changes.map((one) => `${one.id}  ${one.change}  ${one.domain}  ${one.severity}`),
    `${found.count} changes wait. Their suspensions affect ${effectsOf(found)}.`,
  ]
}

function lineOf(one) {
  const checked = one.checked_at === null ? 'not fetched yet' : `fetched ${one.checked_at.slice(0, 16)}`
  const more = [one.has_pending_changes ? 'has changes to review' : '', one.error ?? '']
  return [one.id, one.title, one.url, checked, ...more.filter((text) => text !== '')].join('  ')
}
