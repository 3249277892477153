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
    calls: ['POST /setup/domains/import/preview', 'POST /setup/domains/import'],
    result: z.object({ imported: z.int() }),
    effects: ({ input, instance }) =>
      instance.setup('domains/import/preview', { csv: readTextFile(input.file) }),
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
      if (imported > 0) await instance.setup('domains/import', { csv: readTextFile(input.file), overwrite })
      return { imported }
    },
    lines: ({ imported }) => [
      imported === 0 ? 'There is nothing to import.' : `${imported} limits are being made in the background.`,
    ],
  },
  {
    name: 'export',
    summary: 'Prints every limit as such a file',
    calls: ['POST /setup/domains/export'],
    result: z.object({ csv: z.string() }),
    run: ({ instance }) => instance.setup('domains/export'),
    lines: ({ csv }) => [csv],
  },
  {
    name: 'lists',
    summary: 'Subscriptions to published lists, fetched every day',
    calls: ['POST /setup/domains/lists'],
    result: z.object({ lists: z.array(List) }),
    run: ({ instance }) => instance.setup('domains/lists'),
    lines: ({ lists }) => (lists.length === 0 ? ['There are no subscriptions.'] : lists.map(lineOf)),
  },
  {
    name: 'subscribe',
    summary: 'Subscribes to a published list, which then proposes what it contains',
    args: [arg('URL', 'Address of the list'), optional('TITLE', 'Name for it', z.string())],
    calls: ['POST /setup/domains/subscribe'],
    result: List,
    run: ({ input: { url, title = '' }, instance }) => instance.setup('domains/subscribe', { url, title }),
    lines: (one) => [`Subscribed: ${one.id}  ${one.title}. Its limits wait for you: changes ${one.id}.`],
  },
  {
    name: 'changes',
    summary: 'Changes that a list proposes',
    args: [list],
    calls: ['POST /setup/domains/changes'],
    result: Changes,
    run: ({ input, instance }) => instance.setup('domains/changes', input),
    lines: changeLines,
  },
  {
    name: 'approve',
    summary: 'Makes these changes, or all of them',
    args: [list, chosen],
    calls: ['POST /setup/domains/changes', 'POST /setup/domains/approve'],
    result: List,
    effects: ({ input, instance }) => instance.setup('domains/changes', { id: input.id }),
    effectLines: changeLines,
    destroys: ({ change }, { count }) =>
      `make ${change.length === 0 ? `all ${count} changes` : `${change.length} of these changes`}`,
    run: ({ input, instance }) => instance.setup('domains/approve', decision(input)),
    lines: () => ['Approved: they take effect in the background.'],
  },
  {
    name: 'reject',
    summary: 'Rejects these changes, or all of them',
    args: [list, chosen],
    calls: ['POST /setup/domains/reject'],
    result: List,
    run: ({ input, instance }) => instance.setup('domains/reject', decision(input)),
    lines: () => ['Rejected.'],
  },
  {
    name: 'check',
    summary: 'Fetches a list now',
    args: [list],
    calls: ['POST /setup/domains/check'],
    result: List,
    run: ({ input, instance }) => instance.setup('domains/check', input),
    lines: () => ['The list is being fetched.'],
  },
  {
    name: 'unsubscribe',
    summary: 'Ends a subscription',
    args: [list],
    options: { lift: flag('Lifts its limits') },
    calls: ['POST /setup/domains/unsubscribe'],
    result: Done,
    destroys: ({ lift }) => (lift ? 'lift all limits of the list' : ''),
    run: ({ input: { id, lift = false }, instance }) => instance.setup('domains/unsubscribe', { id, lift }),
    lines: (_result, { lift }) => [
      lift ? 'The subscription has ended; its limits are being lifted.' : 'The subscription has ended.',
    ],
  },
  {
    name: 'exceptions',
    summary: 'Domains that no list limits',
    calls: ['POST /setup/domains/exceptions'],
    result: z.object({ exceptions: z.array(Exception) }),
    run: ({ instance }) => instance.setup('domains/exceptions'),
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
    calls: ['POST /setup/domains/except'],
    result: Exception,
    run: ({ input: { domain, note = '' }, instance }) =>
      instance.setup('domains/except', { domain, comment: note }),
    lines: (one) => [`No list limits ${one.domain}.`],
  },
  {
    name: 'unexcept',
    summary: 'Ends an exception',
    args: [arg('ID', 'Id of the exception', numericId)],
    calls: ['POST /setup/domains/unexcept'],
    result: Done,
    run: ({ input, instance }) => instance.setup('domains/unexcept', input),
    lines: () => ['The exception has ended.'],
  },
]

function countOf({ overwrite }, { added, conflicts }) {
  return added.length + (overwrite ? conflicts.length : 0)
}

function decision({ id, change }) {
  return { id, changes: change.length === 0 ? 'all' : change }
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
