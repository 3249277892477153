import { afterEach, describe, expect, it, vi } from 'vitest'
import { consoleLog, withRequestId } from '../../src/cloudflare/log'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { given } from '../support/given'
import { context } from '../support/test-app'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Lines that are written meanwhile. */
function lines() {
  const written: string[] = []
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line) => void written.push(String(line)))
  return written
}

/** The line about these facts, as it is written. */
function logged(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const written = lines()
  consoleLog.error('Something failed', facts)
  return JSON.parse(written[0] ?? '')
}

const secret = 'kZ3v9QpLr7XwY2mN5bTcF8hJdG4sAeUi1oPq6RtVyWz'

describe('a line of the log', () => {
  it('a line of the log is one JSON object with level, message and the id of its request', () => {
    const written = lines()
    withRequestId('f3b8a1c2-0000-4000-8000-000000000001', consoleLog).info('It\nhappened', { kind: 'x' })
    expect(written).toHaveLength(1)
    expect(written[0]).not.toContain('\n')
    expect(JSON.parse(written[0] ?? '')).toEqual({
      level: 'info',
      message: 'It\nhappened',
      requestId: 'f3b8a1c2-0000-4000-8000-000000000001',
      kind: 'x',
    })
  })

  it.each([
    ['uri', 'https://elsewhere.test/users/ada/statuses/1?x=2', 'https://elsewhere.test/…'],
    [
      'reason',
      'no answer from https://ada:pw@elsewhere.test:8443/inbox',
      'no answer from https://elsewhere.test:8443/…',
    ],
    ['handle', '@ada@elsewhere.test', '…@elsewhere.test'],
    ['reason', 'acct:ada@elsewhere.test is gone', 'acct:… is gone'],
    ['to', 'Ada <ada.l+x@mail.test>', 'Ada <…@mail.test>'],
    ['from', 'refused 203.0.113.7', 'refused [ip]'],
    ['from', 'refused 2001:db8:0:1::7', 'refused [ip]'],
    ['from', 'refused 2001:db8::7', 'refused [ip]'],
    ['from', 'refused 2001:db8::/48', 'refused [ip]'],
    ['from', 'refused ::ffff:203.0.113.7', 'refused ::ffff:[ip]'],
    ['to', 'ada@büro.example', '…@büro.example'],
    ['reason', `token ${secret} is unknown`, 'token [secret] is unknown'],
    ['path', '/@ada/109302', '/:…/:…'],
    ['path', '/users/ada/inbox', '/users/:…/inbox'],
    ['path', '/api/v1/tags/secretlove', '/api/v1/tags/:…'],
    ['path', '/api/v1/accounts/109302/follow', '/api/v1/accounts/:…/follow'],
    ['path', '/api/v1/statuses/109302/react/blobcat', '/api/v1/statuses/:…/react/:…'],
    ['path', '/api/v1/timelines/tag/secretlove', '/api/v1/timelines/tag/:…'],
    ['path', `/invite/${secret}`, '/invite/:…'],
  ])('limits %s %j to %j', (name, value, kept) => {
    expect(logged({ [name]: value })[name]).toBe(kept)
    if (name !== 'path')
      expect(logged({ about: [{ [`${name}s`]: value }] })['about']).not.toEqual([{ [`${name}s`]: value }])
  })

  it.each([
    ['host', 'elsewhere.test'],
    ['id', 7_331_234_567_890_123],
    ['task', 'prune-database'],
    ['reason', 'answered 503 at 12:34:56, No answer within 10000 ms'],
    ['at', '2026-11-23T12:34:56.000Z'],
    ['requests', 3],
  ])('a line of the log keeps %s %j', (name, value) => {
    expect(logged({ [name]: value })[name]).toBe(value)
  })

  it('names the failed statement, and none of its values', async () => {
    const failure = await context()
      .db.insert((await import('../../src/db/schema')).settings)
      .values({ key: 'x', value: 'A post about birds', updatedAt: new Date(Number.NaN) })
      .catch((cause: unknown) => cause)
    const line = JSON.stringify(logged({ cause: failure }))
    expect(line).toContain('Failed query: insert into')
    expect(line).not.toContain('birds')
  })
})

it('a request that fails is logged with its id, and without its path parts, query or token', async () => {
  const written = lines()
  const author = await given.account()
  const db = new Proxy(context().db, {
    get: (target, key) =>
      key === 'batch'
        ? () => Promise.reject(new Error(`Failed query: select\nparams: ${author.username},${author.token}`))
        : Reflect.get(target, key),
  })
  const page = await new Browser({ db }).get(`/@${author.username}/1?token=${secret}`)
  await as(author).get(`/api/v1/accounts/lookup?acct=${author.username}`, { overrides: { db } })
  expect(page.status).toBe(500)
  expect(written).toHaveLength(2)
  for (const line of written) {
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    for (const personal of [author.username, author.token, secret]) expect(line).not.toContain(personal)
  }
})
