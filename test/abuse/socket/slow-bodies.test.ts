import { afterEach, expect, it } from 'vitest'
import { RawConnection } from './support/connection'

const open: RawConnection[] = []
const timers: ReturnType<typeof setInterval>[] = []
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer)
  for (const connection of open.splice(0)) connection.close()
})

/** A request whose body comes one byte a second, or not at all. */
function slow(
  path: string,
  headers: Readonly<Record<string, string>>,
  isTrickling: boolean,
): Promise<number> {
  const connection = new RawConnection({ path, headers: { ...headers, 'Content-Length': '50000' } })
  open.push(connection)
  if (isTrickling) timers.push(setInterval(() => void connection.send('x'), 1_000))
  return connection.status
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const forged = {
  'Content-Type': 'application/activity+json',
  Signature: 'keyId="https://example.org/key",headers="date",signature="AAAA"',
}

it('bodies that come too slowly are given up', async () => {
  const waiting = [
    slow('/api/v1/apps', form, true),
    slow('/oauth/token', form, true),
    slow('/api/v1/apps', form, false),
    slow('/inbox', forged, false),
  ]
  expect(await Promise.all(waiting)).toEqual([408, 408, 408, 408])
})
