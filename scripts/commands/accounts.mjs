import * as z from 'zod'
import { importArchiveCommand } from '../lib/archives/import-command.mjs'
import {
  arg,
  Done,
  declareGroup,
  emailAddress,
  flag,
  given,
  id,
  oneOf,
  onOff,
  option,
  optional,
  word,
} from '../lib/command-line/declare.mjs'
import { findAccount, findRole } from '../lib/command-line/find-by-name.mjs'
import { plain } from '../lib/command-line/text.mjs'

const Member = z.object({
  username: z.string(),
  email: z.string(),
  state: z.string(),
  role: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: z.string(),
})

const Account = z.object({
  id: z.string(),
  username: z.string(),
  domain: z.string().nullable(),
  created_at: z.string(),
  email: z.string().nullable(),
  ip: z.string().nullable(),
  role: z.object({ id: z.string(), name: z.string() }).nullable(),
  confirmed: z.boolean().nullable(),
  approved: z.boolean().nullable(),
  disabled: z.boolean().nullable(),
  sensitized: z.boolean(),
  silenced: z.boolean(),
  suspended: z.boolean(),
})

const accountStates = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized']

const lookup = 'GET /api/fieldfare/v1/admin/accounts/lookup'

const HistoryEntry = z.object({
  id: z.string(),
  type: z.enum(['report_about', 'report_by', 'strike', 'note']),
  created_at: z.string(),
  report: z
    .object({ category: z.string(), comment: z.string(), action_taken_at: z.string().nullable() })
    .nullable(),
  strike: z.object({ action: z.string(), text: z.string(), overruled_at: z.string().nullable() }).nullable(),
  note: z.object({ username: z.string(), content: z.string() }).nullable(),
})

const local = arg('NAME', 'Username of a member')
const anyone = arg('NAME', 'Username of a member, or NAME@HOST')
const message = optional('TEXT', 'Text for the member', z.string())
const quiet = { quiet: flag('Sends no notification about it') }
const statusIds = arg(
  'IDS',
  'Ids of posts, separated by commas',
  z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be ids, separated by commas')
    .transform((text) => text.split(',')),
)
const ofAccount = '/api/v1/admin/accounts/:id'
const ofOwn = '/api/fieldfare/v1/admin/accounts/:id'

/**
 * A command about the account that is named: `route` is an endpoint with its id, `body` what is sent to it, `also` other
 * endpoints that `body` reads.
 */
const about = ({ route, body = () => ({}), also = [], ...command }) => ({
  args: [local],
  result: Done,
  ...command,
  calls: [lookup, ...also, route],
  run: async ({ input, instance }) => {
    const [method, path] = route.split(' ')
    const { id: account } = await findAccount(instance, input.name)
    return instance.call(method, path.replace(':id', account), await body(input, instance))
  },
})

/** A decision about an account by its name alone: [name, summary, outcome, who, sentence of what it destroys]. */
const decisions = [
  ['approve', 'Lets in a member who waits for approval', 'approved', local],
  [
    'reject',
    'Removes an account that waits for approval',
    'rejected',
    local,
    'remove the account that waits as',
  ],
  ['enable', 'Lets a disabled member sign in again', 'enabled', anyone],
  [
    'unsensitive',
    'Marks media of an account as sensitive no longer',
    'no longer marked as sensitive',
    anyone,
  ],
  ['unsilence', 'Ends the limit on an account', 'no longer limited', anyone],
  ['unsuspend', 'Ends a suspension, within 30 days', 'no longer suspended', anyone],
  [
    'delete',
    'Removes a suspended account at once, for good',
    'deleted',
    anyone,
    'delete for good all data of',
  ],
].map(([name, summary, said, who, loss]) =>
  about({
    name,
    summary,
    args: [who],
    route: name === 'delete' ? `DELETE ${ofAccount}` : `POST ${ofAccount}/${name}`,
    ...(loss === undefined ? {} : { destroys: (input) => `${loss} ${input.name}` }),
    lines: (_result, input) => [`${input.name} is ${said}.`],
  }),
)

/** Sentences about those of the actions below that cannot be undone whole. */
const losses = {
  disable: ({ name }) => `end all sessions and tokens of ${name}, who cannot sign in any more`,
  suspend: ({ name }) => `suspend ${name}, whose follows end at once and whose data go after 30 days`,
}

const noEmail = ({ quiet: isQuiet }) => (isQuiet ? { send_email_notification: false } : {})

/** An action on an account, with a text for its owner. */
const actions = [
  ['warn', 'Warns a member, among their notifications', 'warned'],
  ['disable', 'Ends sign-in and sessions of a member; posts stay', 'disabled'],
  ['sensitive', 'Marks all media of an account as sensitive', 'marked as sensitive'],
  ['silence', 'Limits an account: shown to its followers only', 'limited'],
  ['suspend', 'Hides an account everywhere; its data are removed after 30 days', 'suspended'],
].map(([name, summary, said]) =>
  about({
    name,
    summary,
    args: [
      name === 'disable' ? local : anyone,
      name === 'warn' ? arg('TEXT', 'Text for the member') : message,
    ],
    options: {
      ...quiet,
      report: option(
        'ID',
        'Report that this is the answer to: it is resolved, and its posts are evidence',
        id,
      ),
      ...(name === 'suspend'
        ? { 'keep-email': flag('The e-mail address of the member may sign up again') }
        : {}),
    },
    route: `POST ${ofAccount}/action`,
    body: (input) => ({
      type: name === 'warn' ? 'none' : name,
      ...given({ text: input.text, report_id: input.report }),
      ...noEmail(input),
      ...(input.keepEmail ? { block_email: false } : {}),
    }),
    ...(losses[name] === undefined ? {} : { destroys: losses[name] }),
    lines: (_result, input) => [`${input.name} is ${said}.`],
  }),
)

/** Acts on posts of an account. */
const onPosts = [
  ['delete-posts', 'Deletes posts of an account, for good', 'delete', 'deleted'],
  ['mark-posts', 'Marks posts of an account as sensitive', 'mark_as_sensitive', 'marked as sensitive'],
].map(([name, summary, type, said]) =>
  about({
    name,
    summary,
    args: [anyone, statusIds, message],
    options: quiet,
    route: `POST ${ofOwn}/statuses/action`,
    body: (input) => ({ type, status_ids: input.ids, ...given({ text: input.text }), ...noEmail(input) }),
    ...(type === 'delete'
      ? { destroys: ({ name: who, ids }) => `delete for good ${ids.length} posts of ${who}` }
      : {}),
    lines: (_result, input) => [`Posts of ${input.name} are ${said}.`],
  }),
)

export const group = declareGroup({
  name: 'accounts',
  summary: 'Members and accounts of other servers, and acts of moderation on them',
  commands: [
    {
      name: 'list',
      summary: 'Members, newest first',
      options: { waiting: flag('Only those that wait for approval, with their reasons') },
      calls: ['GET /api/v2/admin/accounts'],
      result: z.object({ members: z.array(Member) }),
      run: async ({ input, instance }) => {
        const order = { origin: 'local', limit: 200, ...(input.waiting ? { status: 'pending' } : {}) }
        return { members: (await instance.every('/api/v2/admin/accounts', order)).map(memberOf) }
      },
      lines: ({ members }, { waiting }) => {
        if (members.length > 0) return members.map(lineOf)
        return [waiting ? 'Nobody waits for approval.' : 'Nobody is here.']
      },
    },
    {
      name: 'find',
      summary: 'Accounts of this server and of others that meet all conditions, the newest 200',
      options: {
        origin: option('WHERE', 'local or remote', oneOf('local', 'remote')),
        status: option('STATE', accountStates.join(', '), oneOf(...accountStates)),
        username: option('TEXT', 'Beginning of the username'),
        'display-name': option('TEXT', 'Words of the name that is shown'),
        email: option('TEXT', 'E-mail address, or its beginning'),
        ip: option('NETWORK', 'Address or range of a sign-in'),
        domain: option('HOST', 'Server'),
        'invited-by': option('ID', 'Account that invited them', id),
        staff: flag('Those with a role'),
      },
      calls: ['GET /api/v2/admin/accounts'],
      result: z.object({ accounts: z.array(Account) }),
      run: async ({ input, instance }) => ({
        accounts: await instance.call('GET', '/api/v2/admin/accounts', {
          limit: 200,
          ...given({
            origin: input.origin,
            status: input.status,
            username: input.username,
            display_name: input.displayName,
            email: input.email,
            ip: input.ip,
            by_domain: input.domain,
            invited_by: input.invitedBy,
            permissions: input.staff ? 'staff' : undefined,
          }),
        }),
      }),
      lines: ({ accounts }) => (accounts.length === 0 ? ['No account is so.'] : accounts.map(foundLine)),
    },
    {
      name: 'show',
      summary: 'An account with what moderators see of it',
      args: [anyone],
      calls: ['GET /api/fieldfare/v1/admin/accounts/lookup'],
      result: Account,
      run: ({ input, instance }) => findAccount(instance, input.name),
      lines: accountLines,
    },
    {
      name: 'create',
      summary: 'Makes a confirmed and approved account, and prints its password once',
      args: [local],
      options: {
        email: option('ADDRESS', 'E-mail address; without it no mail reaches the member', emailAddress),
        'display-name': option('TEXT', 'Name that is shown'),
      },
      route: 'POST /api/fieldfare/v1/admin/accounts',
      result: z.object({ account: Account, password: z.string() }),
      body: ({ name, email: address, displayName }) =>
        given({ username: name, email: address, display_name: displayName }),
      lines: ({ account, password }) => [
        `The account (password shown this once):\n\n  name      ${account.username}\n  password  ${password}`,
      ],
    },
    about({
      name: 'confirm',
      summary: 'Confirms the e-mail address of a member whose mail does not arrive',
      route: `POST ${ofOwn}/confirm`,
      result: Account,
      lines: ({ username }) => [`The address of ${username} is confirmed.`],
    }),
    about({
      name: 'password',
      summary: 'Gives a member a new password, printed once, and ends their sessions and tokens',
      route: `POST ${ofOwn}/password`,
      result: z.object({ password: z.string() }),
      destroys: ({ name }) => `end the password of ${name} with all sessions and tokens`,
      lines: ({ password }) => [`The new password (shown this once):\n\n  ${password}`],
    }),
    about({
      name: 'move',
      summary: 'Moves a member to another account, which must name the old one as an alias',
      args: [local, arg('TARGET', 'NAME@HOST of the other account')],
      route: `POST ${ofOwn}/move`,
      body: ({ target }) => ({ acct: target }),
      result: Account,
      destroys: ({ name, target }) => `move ${name} and all followers to ${target}`,
      lines: (_result, { name, target }) => [`${name} has moved to ${target}.`],
    }),
    about({
      name: 'role',
      summary: 'Gives a member a role: moderator, admin, owner or another of roles list; none takes it away',
      args: [local, arg('ROLE', 'Name of the role, or none', word)],
      also: ['GET /api/fieldfare/v1/admin/roles'],
      route: `PUT ${ofOwn}/role`,
      body: async ({ role }, instance) => ({
        role_id: role === 'none' ? null : (await findRole(instance, role)).id,
      }),
      lines: (_result, { name, role }) => [
        role === 'none' ? `${name} has no role.` : `${name} has the role ${role}.`,
      ],
    }),
    {
      name: 'history',
      summary: 'Reports by and about an account, strikes against it and notes about it, newest first',
      args: [anyone],
      calls: [lookup, 'GET /api/fieldfare/v1/admin/accounts/:id/history'],
      result: z.object({ entries: z.array(HistoryEntry) }),
      run: async ({ input, instance }) => {
        const { id: account } = await findAccount(instance, input.name)
        return {
          entries: await instance.every(`/api/fieldfare/v1/admin/accounts/${account}/history`, { limit: 40 }),
        }
      },
      lines: ({ entries }, { name }) =>
        entries.length > 0 ? entries.map(historyLine) : [`Nothing is known about ${name}.`],
    },
    about({
      name: 'note',
      summary: 'Notes something about an account, for moderators only',
      args: [anyone, arg('TEXT', 'What others should know')],
      route: `POST ${ofOwn}/notes`,
      body: ({ text }) => ({ content: text }),
      lines: (_result, { name }) => [`It is noted about ${name}.`],
    }),
    {
      name: 'remove-note',
      summary: 'Removes a note about an account or a report',
      args: [arg('ID', 'Id of the note, as history shows it', id)],
      route: 'DELETE /api/fieldfare/v1/admin/notes/:id',
      result: Done,
      destroys: (input) => `remove the note ${input.id}`,
      lines: (_result, input) => [`The note ${input.id} is gone.`],
    },
    about({
      name: 'reset-link',
      summary: 'Makes a link by which a member chooses a new password, for servers that send no mail',
      api: 2,
      route: `POST ${ofOwn}/reset_link`,
      result: z.object({ url: z.string() }),
      lines: ({ url }, { name }) => [`Give this to ${name}; it works once:\n\n  ${url}`],
    }),
    about({
      name: 'rotate-keys',
      summary: 'Gives a member a new pair of keys, where the private one may have got out',
      api: 2,
      route: `POST ${ofOwn}/rotate_keys`,
      destroys: ({ name }) => `end the key of ${name}; other servers fetch the new one within days`,
      lines: (_result, { name }) => [
        `${name} has a new key. Other servers are notified; those that are offline fetch it within days.`,
      ],
    }),
    about({
      name: 'disable-2fa',
      summary: 'Removes the second factors of a member who lost them',
      route: `DELETE ${ofOwn}/two_factor`,
      destroys: ({ name }) => `remove authenticator app, passkeys and recovery codes of ${name}`,
      lines: (_result, { name }) => [`${name} has no second factor.`],
    }),
    about({
      name: 'sign-in',
      summary: 'Whether a member has a second factor, and is spared the code by mail',
      route: `GET ${ofOwn}/sign_in`,
      result: z.object({ two_factor_enabled: z.boolean(), skip_sign_in_token: z.boolean() }),
      lines: ({ two_factor_enabled: hasTwo, skip_sign_in_token: skips }, { name }) => [
        `${name} has ${hasTwo ? 'a' : 'no'} second factor, and is asked for ${skips ? 'no' : 'a'} code by mail.`,
      ],
    }),
    about({
      name: 'skip-sign-in-token',
      summary: 'Whether a member is spared the code by mail when a sign-in looks new',
      args: [local, arg('SKIP', 'on: no code is asked for; off: it is', onOff)],
      route: `PUT ${ofOwn}/sign_in`,
      body: ({ skip }) => ({ skip_sign_in_token: skip }),
      lines: (_result, { name, skip }) => [`${name} is asked for ${skip ? 'no' : 'a'} code by mail.`],
    }),
    importArchiveCommand,
    ...decisions,
    ...actions,
    ...onPosts,
  ],
})

/** A member among accounts as moderators see them. */
function memberOf({ username, email, role, invite_request: reason, created_at: since, ...account }) {
  const { suspended, disabled, approved, confirmed } = account
  const settled = confirmed ? 'active' : 'unconfirmed'
  const state = suspended ? 'suspended' : disabled ? 'disabled' : approved ? settled : 'waiting'
  return { username, email, state, role: role?.name || null, reason, created_at: since }
}

function accountLines(account) {
  const { domain, username, email: address, role, confirmed, approved, ip, created_at: since } = account
  const marks = ['disabled', 'silenced', 'suspended', 'sensitized'].filter((mark) => account[mark])
  const facts = {
    name: domain === null ? username : `${username}@${domain}`,
    id: account.id,
    email: address,
    role: role?.name,
    state: [...(domain === null ? stateOf({ confirmed, approved }) : []), ...marks].join(', ') || 'active',
    since: since.slice(0, 10),
    address: ip,
  }
  return Object.entries(given(facts))
    .filter(([, value]) => value !== null && value !== '')
    .map(([label, value]) => plain(`${label.padEnd(8)}  ${value}`))
}

/** An account in one line. */
function foundLine({ id: number, username, domain, email: address, role, created_at: since, ...account }) {
  const marks = ['disabled', 'silenced', 'suspended', 'sensitized'].filter((mark) => account[mark])
  const facts = [
    number,
    domain === null ? username : `${username}@${domain}`,
    address,
    since.slice(0, 10),
    role?.name,
    ...(domain === null ? stateOf(account) : []),
    ...marks,
  ]
  return plain(facts.filter((fact) => fact !== null && fact !== undefined && fact !== '').join('  '))
}

function stateOf({ confirmed, approved }) {
  return [...(confirmed ? [] : ['not confirmed']), ...(approved ? [] : ['not approved'])]
}

function lineOf({ username, email: address, state, role, reason, created_at: since }) {
  const facts = [username, address, state, since.slice(0, 10), ...(role === null ? [] : [role])]
  return plain([...facts, ...(reason === null ? [] : [`“${reason}”`])].join('  '))
}

function historyLine({ id: name, type, created_at: at, report, strike, note }) {
  const more = [
    ...(report === null
      ? []
      : [report.category, report.action_taken_at === null ? 'open' : 'resolved', report.comment]),
    ...(strike === null
      ? []
      : [strike.action, ...(strike.overruled_at === null ? [] : ['overruled']), strike.text]),
    ...(note === null ? [] : [note.username === '' ? 'the operator' : note.username, note.content]),
  ]
  return plain(
    [name, at.slice(0, 10), type.replace('_', ' '), ...more].filter((part) => part !== '').join('  '),
  )
}
