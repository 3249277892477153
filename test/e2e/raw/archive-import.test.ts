import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { root } from '../../../scripts/lib/server.mjs'
import { Account } from '../../../src/contract/entities/account'
import { Notification } from '../../../src/contract/entities/notification'
import { Status } from '../../../src/contract/entities/status'
import { runCommand } from '../../node/instance'
import { wholeArchive } from '../../support/whole-archive'
import { zipOf } from '../../support/zip'
import { freePort, type Instance, startInstance } from '../support/instance'

/** So many that the command asks three times for what the server has, and sends 22 parts; with 26 files, of 30 in half an hour. */
const postCount = 440
const picture = readFileSync(fileURLToPath(new URL('../../data/media/rgba.png', import.meta.url).href))
const archive = wholeArchive(postCount, picture)
const Token = z.object({ token: z.string() })
const Imports = z.array(z.object({ imported_count: z.int() }))

let folder: string
let file: string
let instance: Instance
let wren: string
let follower: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-archive-'))
  file = join(folder, 'archive.zip')
  writeFileSync(file, zipOf(archive.files))
  instance = await startInstance({})
  wren = await member('wren')
  follower = await member('robin')
  const { id } = Account.parse(await call(wren, 'GET', '/api/v1/accounts/lookup?acct=wren'))
  await call(follower, 'POST', `/api/v1/accounts/${id}/follow`, { notify: true })
})
afterAll(async () => {
  await instance?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function member(username: string): Promise<string> {
  return Token.parse(await call(instance.setupToken, 'POST', '/setup/account', { username })).token
}

async function call(token: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${instance.origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return response.json()
}

const importedSoFar = async () =>
  Imports.parse(await call(wren, 'GET', '/api/fieldfare/v1/archive_imports'))[0]?.imported_count ?? 0

const words = (url: string) => ['accounts', 'import-archive', 'wren', file, '--url', url, '--json']

/** Starts the command, and kills it when it sends its eleventh part of posts, of twenty each. */
async function interruptedImport(): Promise<void> {
  let parts = 0
  const way = createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    if (url?.endsWith('/statuses')) parts += 1
    if (parts > 10) {
      child.kill('SIGKILL')
      return
    }
    const outgoing = request(instance.origin + url, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers)
      answered.pipe(answer)
    })
    incoming.pipe(outgoing)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve))
  const script = join(root, 'scripts/fieldfare.mjs')
  const child = spawn(process.execPath, [script, ...words(`http://127.0.0.1:${port}`)], {
    stdio: 'ignore',
    env: { ...process.env, SETUP_TOKEN: instance.setupToken },
  })
  const [, signal] = await once(child, 'exit')
  way.closeAllConnections()
  way.close()
  expect(signal).toBe('SIGKILL')
}

async function everyPost(): Promise<readonly Status[]> {
  const { id } = Account.parse(await call(wren, 'GET', '/api/v1/accounts/lookup?acct=wren'))
  const found: Status[] = []
  for (let last = ''; ; ) {
    const page = z
      .array(Status)
      .parse(await call(wren, 'GET', `/api/v1/accounts/${id}/statuses?limit=40${last}`))
    if (page.length === 0) return found
    found.push(...page)
    last = `&max_id=${page.at(-1)?.id}`
  }
}

const numberOf = ({ content }: Status) => Number(/\d+/.exec(content)?.[0])

describe('a Mastodon archive with 440 posts', () => {
  it('a Mastodon archive with 440 posts is imported once, although the import was killed in between', async () => {
    await interruptedImport()
    expect(await importedSoFar()).toBe(200)
    const run = await runCommand(words(instance.origin), { env: { SETUP_TOKEN: instance.setupToken } })
    expect(run).toMatchObject({ code: 0, problem: '' })
    const report = z.looseObject({ imported: z.int(), known: z.int() }).parse(JSON.parse(run.out))
    expect(report).toMatchObject({
      refused: [],
      missing_files: [],
      favourites: { marked: 2, unknown: 0 },
      bookmarks: { marked: 1, unknown: 0 },
    })
    expect(report.imported + report.known).toBe(postCount + 1)
    expect(await importedSoFar()).toBe(postCount + 1)
  })

  it('keeps dates, visibility, pictures and replies, and polls without votes', async () => {
    const found = await everyPost()
    const posts = found.filter(({ reblog }) => reblog === null)
    expect(found.length - posts.length).toBe(1)
    const numbers = new Map(posts.map((status) => [status.id, numberOf(status)]))
    const read = posts.map((status) => ({
      number: numberOf(status),
      createdAt: status.created_at,
      visibility: status.visibility,
      replyTo: status.in_reply_to_id === null ? null : numbers.get(status.in_reply_to_id),
      pictures: status.media_attachments.filter(
        ({ description }) => description === `Picture of ${numberOf(status)}`,
      ).length,
      isPoll: status.poll?.expired === true && status.poll.votes_count === 0,
      warning: status.spoiler_text,
    }))
    expect(read.toReversed()).toEqual(archive.posts)
    const shown = await fetch(
      posts.find((one) => one.media_attachments.length > 0)?.media_attachments[0]?.url ?? '',
    )
    expect(shown.status).toBe(200)
  })

  it('a Mastodon archive with 440 posts notifies nobody', async () => {
    const home = await call(follower, 'GET', '/api/v1/timelines/home')
    expect(z.array(Status).parse(home)).toEqual([])
    const told = z.array(Notification).parse(await call(follower, 'GET', '/api/v1/notifications'))
    expect(told.filter(({ type }) => type !== 'admin.sign_up')).toEqual([])
    const waiting = await runCommand(['queues', 'list', '--url', instance.origin, '--json'], {
      env: { SETUP_TOKEN: instance.setupToken },
    })
    expect(waiting.out).not.toContain('status.created')
  })
})
