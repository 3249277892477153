import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { RawConnection } from './support/connection'
import { growthDuring } from './support/memory'

/** Growth of a busy runtime without an attack. The sizes that the attacks below declare add up to 200 MB and more. */
const mostMegabytes = 160

const open: RawConnection[] = []
afterEach(() => {
  for (const connection of open.splice(0)) connection.close()
})

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const forged = () => ({
  'Content-Type': 'application/activity+json',
  Signature: 'keyId="https://example.org/key",headers="date",signature="AAAA"',
})
const withMadeUpToken = () => ({
  'Content-Type': 'multipart/form-data; boundary=x',
  Authorization: `Bearer ${randomBytes(32).toString('base64url')}`,
})

interface Idle {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly declaredBytes: number
}

/** A request that declares a large body, sends its first bytes and then no more. */
function idle({ path, headers, declaredBytes }: Idle): Promise<void> {
  const length = { 'Content-Length': String(declaredBytes) }
  const connection = new RawConnection({ path, headers: { ...headers, ...length } })
  open.push(connection)
  return connection.send('--x\r\n')
}

/** Requests whose bodies come one byte a second, or not at all. Opened first: the other tests pass the time they have. */
const slow: RawConnection[] = []
const timers: ReturnType<typeof setInterval>[] = []
beforeAll(() => {
  for (const [path, headers, isTrickling] of [
    ['/api/v1/apps', form, true],
    ['/oauth/token', form, true],
    ['/api/v1/apps', form, false],
    ['/inbox', forged(), false],
  ] as const) {
    const connection = new RawConnection({ path, headers: { ...headers, 'Content-Length': '50000' } })
    slow.push(connection)
    if (isTrickling) timers.push(setInterval(() => void connection.send('x'), 1_000))
  }
})
afterAll(() => {
  for (const timer of timers) clearInterval(timer)
  for (const connection of slow) connection.close()
})

it.each([
  ['40 uploads with made-up tokens', 40, '/api/v2/media', 57_000_000, withMadeUpToken],
  ['40 posts with made-up tokens', 40, '/api/v1/statuses', 57_000_000, withMadeUpToken],
  ['200 deliveries', 200, '/inbox', 1_000_000, forged],
] as const)('idle connections cost no memory: %s', async (_what, count, path, declaredBytes, headers) => {
  const growth = await growthDuring(async () => {
    await Promise.all(Array.from({ length: count }, () => idle({ path, declaredBytes, headers: headers() })))
  })
  expect(growth).toBeLessThan(mostMegabytes)
})

it('aborts bodies that arrive too slowly', async () => {
  expect(await Promise.all(slow.map(({ status }) => status))).toEqual([408, 408, 408, 408])
})
