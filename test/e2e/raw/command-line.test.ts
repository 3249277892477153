import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { commandsOf, loadRegistry } from '../../../scripts/lib/command-line/registry.mjs'
import { runCommand } from '../../node/instance'
import { wholeArchive } from '../../support/whole-archive'
import { zipOf } from '../../support/zip'
import { freePort, type Instance, startInstance } from '../support/instance'

const commands = commandsOf(await loadRegistry())
const picture = fileURLToPath(new URL('../../data/media/rgba.png', import.meta.url).href)
const Id = z.object({ id: z.string() })
const Token = z.object({ token: z.string() })

let folder: string
let instance: Instance
let neighbour: Server
let neighbourOrigin: string
/** Names and ids that one example leaves to others. */
const known: Record<string, string> = {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-commands-'))
  const port = await freePort()
  neighbourOrigin = `http://127.0.0.1:${port}`
  neighbour = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => neighbour.listen(port, '127.0.0.1', resolve))
  const variables = { FEDERATION_TEST_HOSTS: `127.0.0.1:${port}` }
  instance = await startInstance({ rules: ['Be kind', 'No cats'] }, variables)
})
afterAll(async () => {
  await instance?.close()
  await new Promise((resolve) => neighbour.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const fieldfare = (...words: readonly string[]) =>
  runCommand([...words, '--url', instance.origin], { env: { SETUP_TOKEN: instance.setupToken } })

async function json(...words: readonly string[]): Promise<unknown> {
  const { code, out, problem } = await fieldfare(...words, '--json')
  expect({ words, code, problem }).toEqual({ words, code: 0, problem: '' })
  return JSON.parse(out)
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

function archiveFile(): string {
  const file = join(folder, 'archive.zip')
  writeFileSync(file, zipOf(wholeArchive(25, readFileSync(picture)).files))
  return file
}

async function call(token: string, method: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${instance.origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

async function member(username: string): Promise<string> {
  return Token.parse(await call(instance.setupToken, 'POST', '/setup/account', { username })).token
}

/** A status with a picture. */
async function status(token: string, text: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([readFileSync(picture)], { type: 'image/png' }), 'a.png')
  const headers = { Authorization: `Bearer ${token}` }
  const upload = await fetch(`${instance.origin}/api/v2/media`, { method: 'POST', headers, body: form })
  const { id } = Id.parse(await upload.json())
  return Id.parse(await call(token, 'POST', '/api/v1/statuses', { status: text, media_ids: [id] })).id
}

/** People and posts that the examples are about. */
async function furnish(): Promise<void> {
  const [ada, bob] = await Promise.all([member('ada'), member('bob')])
  await member('eve')
  for (const name of ['first', 'second', 'third']) known[name] = await status(ada, `#${name} sighting`)
  for (const [name, author, reporter] of [['report', ada, bob] as const, ['other', bob, ada] as const]) {
    const order = { account_id: await accountIdOf(author), status_ids: [await status(author, name)] }
    known[name] = Id.parse(await call(reporter, 'POST', '/api/v1/reports', order)).id
  }
  const warn = `/api/v1/admin/accounts/${await accountIdOf(ada)}/action`
  await call(instance.setupToken, 'POST', warn, { type: 'none', text: 'Please' })
}

async function accountIdOf(token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(`${instance.origin}/api/v1/accounts/verify_credentials`, { headers })
  return Id.parse(await answer.json()).id
}

type Words = readonly string[]
interface Example {
  readonly words: () => Words
  /** Name under which the id of the result is known afterwards. */
  readonly as?: string
  /** Reason why a server without others refuses it. */
  readonly refusal?: RegExp
}

const example = (...words: Words): Example => ({ words: () => words })
const about = (words: () => Words, more: Omit<Example, 'words'> = {}): Example => ({ words, ...more })
const one = (name: string, ...more: Words) => about(() => [known[name] ?? '', ...more])
const gone = /refused \(404\)/

/** An example of each command, in an order that works. */
const examples: Readonly<Record<string, Example>> = {
  'settings list': example(),
  'settings set': about(() => ['title=Hedge', 'languages=de,en', `privacyPolicy=@${fileOf('p.md', 'None')}`]),
  'settings show': example('title'),
  'accounts list': example(),
  'accounts find': example('--origin', 'local', '--status', 'active', '--username', 'a'),
  'accounts show': example('ada'),
  'accounts create': example('kit', '--email', 'kit@mail.test', '--display-name', 'Kit'),
  'accounts confirm': about(() => ['kit'], { refusal: /is confirmed already/ }),
  'accounts password': example('kit', '--yes'),
  'accounts move': about(() => ['kit', 'ada', '--yes'], { refusal: /alias/ }),
  'accounts import-archive': about(() => ['eve', archiveFile()]),
  'tokens create': about(() => ['kit', '--scopes', 'read'], { as: 'token' }),
  'tokens list': example('kit'),
  'tokens revoke': about(() => ['kit', known['token'] ?? '', '--yes']),
  'alerts list': example(),
  'alerts test': example(),
  'alerts secret': example(),
  'couriers list': example('--all'),
  'couriers health': example('--failing'),
  'couriers retry': example('elsewhere.test'),
  'couriers drop': example('elsewhere.test', '--yes'),
  'queues list': example(),
  'queues dead-letters': example(),
  'queues retry-dead-letters': example('--all'),
  'queues drop-dead-letters': example('--kind', 'send-push', '--yes'),
  'queues retry': about(() => ['1'], { refusal: gone }),
  'queues drop': about(() => ['1', '--yes'], { refusal: gone }),
  'search status': example(),
  'search reindex': example(),
  'counters rebuild': example(),
  'figures measures': example('new_users', 'instance_accounts', '--domain', 'elsewhere.test'),
  'figures dimensions': example('languages', 'space_usage', '--limit', '3'),
  'figures retention': example('--by', 'month', '--from', '2026-01-01'),
  'media usage': example(),
  'media clean': example('--yes'),
  'pruning status': example(),
  'plan show': example(),
  'plan set': example('free', '--yes'),
  usage: example(),
  'backup create': example(),
  'backup list': example(),
  'backup show': example(),
  'backup verify': example('--media'),
  'backup download': about(() => [join(folder, 'backup')]),
  restore: about(() => [join(folder, 'backup'), '--folder', join(folder, 'restored'), '--yes'], {
    refusal: /INSTANCE_SECRET is in no backup/,
  }),
  export: about(() => [join(folder, 'backup'), join(folder, 'export')]),
  'backup delete': about(() => ['20200101T000000Z-AAAAAAAAAAAAAAAAAAAAAA', '--yes'], { refusal: gone }),
  'accounts note': example('ada', 'Was warned by mail'),
  'accounts history': example('ada'),
  'accounts remove-note': about(() => ['1', '--yes'], { refusal: gone }),
  'accounts role': example('bob', 'moderator'),
  'accounts reset-link': example('ada'),
  'accounts rotate-keys': example('ada', '--yes'),
  'accounts disable-2fa': example('ada', '--yes'),
  'accounts sign-in': example('ada'),
  'accounts skip-sign-in-token': example('ada', 'on'),
  'accounts warn': example('ada', 'Please be kind'),
  'accounts disable': example('ada', '--yes'),
  'accounts enable': example('ada'),
  'accounts sensitive': example('ada', '--quiet'),
  'accounts unsensitive': example('ada'),
  'accounts silence': example('ada', 'Too loud'),
  'accounts unsilence': example('ada'),
  'accounts mark-posts': about(() => ['ada', known['first'] ?? '']),
  'accounts delete-posts': about(() => ['ada', `${known['second']},${known['third']}`, '--yes']),
  'accounts suspend': example('eve', '--yes', '--keep-email'),
  'accounts unsuspend': example('eve'),
  'accounts delete': about(() => ['eve', '--yes'], { refusal: /eve is not suspended/ }),
  'accounts approve': about(() => ['ada'], { refusal: /not waiting/ }),
  'accounts reject': about(() => ['ada', '--yes'], { refusal: /not waiting/ }),
  'rules list': example(),
  'rules add': about(() => ['No owls', 'They are loud'], { as: 'rule' }),
  'rules change': one('rule', '--text', 'Few owls'),
  'rules translate': one('rule', 'de', 'Wenige Eulen'),
  'rules untranslate': one('rule', 'de'),
  'rules order': about(() => [known['rule'] ?? '', ...(known['rules'] ?? '').split(' ')]),
  'rules remove': one('rule', '--yes'),
  'rules replace': example('Be kind', 'No cats', '--yes'),
  'terms list': example(),
  'terms publish': about(() => [fileOf('terms.md', 'Be here.'), '--date', '2097-01-31']),
  'terms show': example('2097-01-31'),
  'terms preview': about(() => ['2097-01-31', 'ada'], { refusal: /refused \(4\d\d\)/ }),
  'terms cancel': example('2097-01-31', '--yes'),
  'terms notify': about(() => ['2097-01-31'], { refusal: gone }),
  'strikes list': example('ada'),
  'strikes show': about(() => ['1'], { refusal: gone }),
  'warnings list': example(),
  'warnings add': about(() => ['Noise', 'Please be quiet'], { as: 'warning' }),
  'warnings change': one('warning', '--title', 'Loudness'),
  'warnings remove': one('warning', '--yes'),
  'imports list': example(),
  'imports remove': about(() => ['1', '--yes'], { refusal: gone }),
  'invites list': example(),
  'invites expire': about(() => ['1', '--yes'], { refusal: gone }),
  'invites expire-all': example('--yes'),
  'roles list': example(),
  'roles add': example('Judges', '--permissions', 'manage_reports', '--position', '7'),
  'roles change': example('Judges', '--two-factor', 'no'),
  'roles remove': example('Judges', '--yes'),
  'announcements list': example(),
  'announcements add': about(() => ['A feast', '--draft'], { as: 'announcement' }),
  'announcements text': one('announcement', 'A small feast'),
  'announcements times': one('announcement', '--from', '2027-01-01', '--until', '2027-01-02'),
  'announcements publish': one('announcement'),
  'announcements unpublish': one('announcement'),
  'announcements remove': one('announcement', '--yes'),
  'emojis list': example(),
  'emojis add': example('wren', picture, '--category', 'Birds'),
  'emojis copy': about(() => ['owl', 'elsewhere.test'], { refusal: /refused \(4\d\d\)/ }),
  'emojis category': example('wren'),
  'emojis disable': example('wren'),
  'emojis enable': example('wren'),
  'emojis hide': example('wren'),
  'emojis show': example('wren'),
  'emojis remove': example('wren', '--yes'),
  'reports list': example(),
  'reports find': example('--domain', 'elsewhere.test'),
  'reports show': one('report'),
  'reports change': one('report', '--category', 'spam'),
  'reports assign': one('report', 'owner'),
  'reports note': one('report', 'Looked at it'),
  'reports notes': one('report'),
  'reports resolve': one('report'),
  'reports reopen': one('report'),
  'reports mark-posts': one('report'),
  'reports delete-posts': one('other', '--yes'),
  'appeals list': example('--all'),
  'appeals approve': about(() => ['1'], { refusal: gone }),
  'appeals reject': about(() => ['1'], { refusal: gone }),
  'trends list': example(),
  'trends hashtag': example('first', '--listable', 'yes'),
  'trends approve': example('tag', 'first'),
  'trends reject': example('tag', 'first'),
  'trends refresh': example(),
  'blocks list': example(),
  'blocks add': about(() => ['network', '192.0.2.0/24', '--days', '7'], { as: 'block' }),
  'blocks change': about(() => ['network', known['block'] ?? '', '--comment', 'Spam']),
  'blocks test': example('somebody@mail.test'),
  'blocks remove': about(() => ['network', known['block'] ?? '']),
  'domains list': example(),
  'domains preview': example('evil.test'),
  'domains limit': example('evil.test', 'suspend', '--comment', 'Spam', '--yes'),
  'domains ended': example(),
  'domains restore': about(() => ['1'], { refusal: gone }),
  'domains lift': example('evil.test'),
  'domains allow': example('good.test'),
  'domains disallow': example('good.test'),
  'domains import': about(() => [fileOf('l.csv', '#domain,#severity\nloud.test,silence\n'), '--yes']),
  'domains export': example(),
  'domains subscribe': about(() => ['https://lists.test/list.csv', 'A list'], { as: 'list' }),
  'domains lists': example(),
  'domains check': one('list'),
  'domains changes': one('list'),
  'domains approve': one('list', '--yes'),
  'domains reject': one('list'),
  'domains unsubscribe': one('list', '--lift', '--yes'),
  'domains exceptions': example(),
  'domains except': about(() => ['friends.test', '--note', 'Ours'], { as: 'exception' }),
  'domains unexcept': one('exception'),
  'relays list': example(),
  'relays add': about(() => [`${neighbourOrigin}/inbox`], { as: 'relay' }),
  'relays disable': one('relay'),
  'relays enable': one('relay'),
  'relays remove': one('relay', '--yes'),
  'webhooks list': example(),
  'webhooks add': about(() => [`${neighbourOrigin}/hook`, 'status.created'], { as: 'webhook' }),
  'webhooks change': one('webhook', '--events', 'account.created,report.created'),
  'webhooks test': one('webhook'),
  'webhooks log': one('webhook'),
  'webhooks disable': one('webhook'),
  'webhooks enable': one('webhook'),
  'webhooks rotate': one('webhook', '--yes'),
  'webhooks remove': one('webhook', '--yes'),
  'audit-log list': example('--all'),
  'secrets status': example(),
  'secrets reseal': example(),
  'secrets revoke-derived': example('--yes'),
  'secrets renew-lost': example('--yes'),
  // Of a folder without secrets: those of the instance would change under the examples that follow.
  'secrets drop': about(() => ['--yes', '--folder', folder], { refusal: /secrets\.json is not there/ }),
  'secrets rotate': about(() => ['--yes', '--folder', folder], { refusal: /secrets\.json is not there/ }),
  'federation check': example('elsewhere.test'),
  owner: about(() => ['second'], { refusal: /has an owner already/ }),
}

/** A check whose exit code tells that steps failed: there is no other server. */
const failing = new Set(['federation check'])

describe('the commands over a running server', () => {
  beforeAll(async () => {
    await furnish()
    const { rules } = z.object({ rules: z.array(Id) }).parse(await json('rules', 'list'))
    known['rules'] = rules.map(({ id }) => id).join(' ')
  })

  it('the commands over a running server have an example each', () => {
    expect(Object.keys(examples).toSorted()).toEqual(commands.map(({ path }) => path.join(' ')).toSorted())
  })

  it.each(Object.entries(examples))('%s', async (name, { words, as, refusal }) => {
    const command = commands.find(({ path }) => path.join(' ') === name)
    if (command === undefined) throw new Error(`There is no command ${name}`)
    const dry = { ...(command.destroys === null ? {} : { [name]: [...words(), '--dry-run'] }) }
    for (const asked of Object.values(dry))
      if (refusal === undefined)
        expect(await json(...command.path, ...asked)).toMatchObject({ dry_run: true })
    const { code, out, problem } = await fieldfare(...command.path, ...words(), '--json')
    expect(`${out}${problem}`).not.toMatch(/\n\s+at .*:\d+/)
    if (refusal !== undefined) {
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(z.object({ error: z.string() }).parse(JSON.parse(problem)).error).toMatch(refusal)
      return
    }
    expect({ code, problem }).toEqual({ code: failing.has(name) ? 1 : 0, problem: '' })
    const result = command.result.parse(JSON.parse(out))
    expect(result).toEqual(JSON.parse(out))
    if (as !== undefined) known[as] = Id.parse(result).id
  })

  it('the commands over a running server work for an owner with an access token, and not for others', async () => {
    const Made = z.object({ token: z.string() })
    const [owner, ada] = [
      Made.parse(await json('tokens', 'create', 'owner')).token,
      Made.parse(await json('tokens', 'create', 'ada')).token,
    ]
    const by = (token: string, ...words: readonly string[]) =>
      runCommand([...words, '--url', instance.origin], { env: { FIELDFARE_TOKEN: token } })
    expect(await by(owner, 'warnings', 'add', 'By', 'An owner')).toMatchObject({ code: 0, problem: '' })
    expect(await by(owner, 'settings', 'list')).toMatchObject({ code: 0, problem: '' })
    expect((await by(owner, 'audit-log', 'list', '--by', 'owner')).out).toMatch(/ {2}owner {2}create {2}/)
    expect(await by(owner, 'tokens', 'create', 'ada')).toMatchObject({
      code: 1,
      problem: expect.stringContaining('refused (403): This needs the set-up token'),
    })
    for (const words of [
      ['accounts', 'list'],
      ['settings', 'list'],
      ['queues', 'list'],
    ])
      expect(await by(ada, ...words)).toMatchObject({ code: 1, out: '' })
    expect((await by('made-up', 'accounts', 'list')).problem).toContain('refused (401)')
  })

  it('print text lines', async () => {
    const list = await fieldfare('accounts', 'list')
    expect(list.out).toMatch(/^owner {2}\S+ {2}active .*Owner$/m)
    const { out } = await fieldfare('settings', 'show', 'registrations')
    expect(out).toMatch(/^type {5}choice \(open, approval, closed\)\nvalue {4}open\ndefault {2}open$/m)
  })
})
