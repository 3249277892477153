import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CredentialAccount } from '../../../src/contract/entities/account'
import { AccountArchive } from '../../../src/contract/entities/own-account'
import { MediaAttachment, Status } from '../../../src/contract/entities/status'
import { Context } from '../../../src/contract/entities/status-details'
import { runCommand } from '../../node/instance'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { openWorld, type World } from './support/world'

const picture = readFileSync('test/data/media/rgba.png')
const root = '/api/fieldfare/v1/account_archives'

let world: World
let a: Instance
let b: Instance
let old: Person
let fresh: Person
let reader: Person
let door: Server
let url: string
let folder: string

/** A door to an instance on this machine, as a command line has it. */
async function openDoor(instance: Instance): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
        ? [[name, value] as [string, string]]
        : [],
    )
    const { method = 'GET' } = request
    const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
    const answer = await instance.fetch(request.url ?? '/', { method, headers, ...body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-round-trip-'))
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
  old = await a.member('wren')
  fresh = await b.member('jenny')
  reader = await b.member('robin')
  door = await openDoor(b)
  url = `http://127.0.0.1:${z.object({ port: z.int() }).parse(door.address()).port}`
})
afterAll(async () => {
  door?.close()
  rmSync(folder, { recursive: true, force: true })
  await world?.close()
})

async function sentForm(person: Person, method: string, path: string, parts: Record<string, string | Blob>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value)
  const headers = { authorization: `Bearer ${person.token}` }
  const answer = await person.instance.fetch(path, { method, headers, body })
  expect(answer.status, `${method} ${path}`).toBe(200)
  return answer.json()
}

const file = () => new Blob([picture])
const own = (person: Person) => as(person).get('/api/v1/accounts/verify_credentials', CredentialAccount)

/** Facts of a status that have to survive. */
const kept = (status: Status) => ({
  text: status.content.replace(/<[^>]*>/g, ''),
  visibility: status.visibility,
  createdAt: status.created_at,
  warning: status.spoiler_text,
  language: status.language,
  tags: status.tags.map(({ name }) => name),
  isReply: status.in_reply_to_id !== null,
  isReblog: status.reblog !== null,
  media: status.media_attachments.map(({ type, description, meta }) => ({
    type,
    description,
    focus: meta?.focus,
  })),
  poll: status.poll?.options.map(({ title, votes_count: votes }) => ({ title, votes })) ?? null,
})

/** Writes what an archive has to carry. */
async function fill(): Promise<void> {
  await sentForm(old, 'PATCH', '/api/v1/accounts/update_credentials', {
    display_name: 'Wren of the hedge',
    note: `Small bird.\n\nSings at https://birds.example/song for @${old.username}`,
    'fields_attributes[0][name]': 'Nest',
    'fields_attributes[0][value]': 'https://birds.example/nest',
    'fields_attributes[1][name]': 'Weight',
    'fields_attributes[1][value]': '9 g',
    avatar: file(),
    header: file(),
  })
  const first = await as(old).write('First #birds', { spoiler_text: 'Careful', language: 'de' })
  const answer = await as(old).write('Second', { in_reply_to_id: first.id, visibility: 'unlisted' })
  await as(old).write('Third', { in_reply_to_id: answer.id, visibility: 'private' })
  await as(old).write(`@${reader.handle} alone`, { visibility: 'direct' })
  const poll = { options: ['Seeds', 'Worms'], expires_in: 600 }
  await as(old).write('Which?', { poll })
  const upload = MediaAttachment.parse(
    await sentForm(old, 'POST', '/api/v1/media', { file: file(), description: 'A nest', focus: '0.5,-0.5' }),
  )
  await as(old).write('Look', { media_ids: [upload.id] })
  for (const verb of ['favourite', 'bookmark']) await as(old).act(first.id, verb)
}

/** The archive of the old account, downloaded. */
async function archived(): Promise<string> {
  await as(old).post(root, AccountArchive)
  const ready = async () => {
    const [latest] = await as(old).get(root, z.array(AccountArchive))
    return latest
  }
  await eventually(async () => expect((await ready())?.state).toBe('ready'))
  const id = (await ready())?.id
  const answer = await a.fetch(`${root}/${id}/file`, { headers: { authorization: `Bearer ${old.token}` } })
  expect(answer.status).toBe(200)
  const path = join(folder, 'archive.tar.gz')
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

const imported = async (path: string) => {
  const words = ['accounts', 'import-archive', fresh.username, path, '--url', url, '--json']
  const run = await runCommand(words, { env: { FIELDFARE_TOKEN: fresh.token } })
  expect(run).toMatchObject({ code: 0, problem: '' })
  return z.looseObject({ imported: z.int(), known: z.int() }).parse(JSON.parse(run.out))
}

describe('the archive of an account imported from one Fieldfare into another', { timeout: 180_000 }, () => {
  let path: string
  /** Activities of the new account that its server delivered since the import began. */
  let before = 0
  const delivered = () =>
    world.router
      .passages('a.test', 'POST')
      .slice(before)
      .map(({ body }) => body)
      .filter((body) => body.includes(fresh.uri))

  beforeAll(async () => {
    await follows(reader, old)
    await fill()
    await eventually(async () => expect(await as(reader).home()).not.toHaveLength(0))
    await follows(reader, fresh)
    await follows(old, fresh)
    path = await archived()
    before = world.router.passages('a.test', 'POST').length
  })

  it('restores profile, pictures and posts as they were', async () => {
    const report = await imported(path)
    expect(report).toMatchObject({
      refused: [],
      missing_files: [],
      profile: ['display_name', 'note', 'fields', 'avatar', 'header'],
      favourites: { marked: 1, unknown: 0 },
      bookmarks: { marked: 1, unknown: 0 },
    })
    const [before, after] = [await own(old), await own(fresh)]
    expect(after.display_name).toBe(before.display_name)
    // A handle without a host would name somebody of the new server.
    expect(after.source.note).toBe(`Small bird.\n\nSings at https://birds.example/song for @${old.handle}`)
    expect(after.fields.map(({ name, value }) => [name, value.replace(/<[^>]*>/g, '')])).toEqual(
      before.fields.map(({ name, value }) => [name, value.replace(/<[^>]*>/g, '')]),
    )
    for (const picture of [after.avatar, after.header]) {
      expect(new URL(picture).host).toBe('b.test')
      expect(picture).not.toContain('missing')
      expect((await b.fetch(new URL(picture).pathname)).status).toBe(200)
    }
    const posts = await as(fresh).statusesOf(fresh.id)
    const written = (await as(old).statusesOf(old.id)).map(kept)
    // Posts younger than a week are listed nowhere but on the profile.
    const quiet = written.map((status) =>
      status.visibility === 'public' ? { ...status, visibility: 'unlisted' } : status,
    )
    expect(posts.map(kept)).toEqual(quiet)
    const third = posts.find(({ content }) => content.includes('Third'))
    const thread = await as(fresh).get(`/api/v1/statuses/${third?.id}/context`, Context)
    expect(thread.ancestors.map(({ content }) => content.replace(/<[^>]*>/g, ''))).toEqual([
      'First #birds',
      'Second',
    ])
    for (const list of ['favourites', 'bookmarks'])
      expect((await as(fresh).get(`/api/v1/${list}`, z.array(Status))).map(({ content }) => content)).toEqual(
        [expect.stringContaining('First')],
      )
    const shown = posts.flatMap(({ media_attachments: media }) => media)[0]?.url ?? ''
    expect((await b.fetch(new URL(shown).pathname)).status).toBe(200)
  })

  it('the archive of an account imported from one Fieldfare into another delivers nothing to anybody', async () => {
    await b.tick()
    const { uri } = await as(fresh).write('Here I am')
    await arrival(() => as(old).received(uri))
    // Deliveries to a host keep their order: those of the import would stand before it.
    expect(delivered()).toEqual([expect.stringContaining('Here I am')])
    const home = await as(reader).home()
    expect(home.filter(({ account }) => account.id === fresh.id).map((status) => status.uri)).toEqual([uri])
  })

  it('imports nothing twice, and keeps posts written since', async () => {
    await sentForm(fresh, 'PATCH', '/api/v1/accounts/update_credentials', { display_name: 'Jenny' })
    expect(await imported(path)).toMatchObject({ imported: 0, profile: [] })
    expect((await own(fresh)).display_name).toBe('Jenny')
  })
})
