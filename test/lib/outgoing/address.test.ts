import { describe, expect, it } from 'vitest'
import { descriptionOf } from '../../../src/errors/sentences'
import { addressProblem } from '../../../src/lib/outgoing'

const rules = { testHosts: ['localhost:8788', 'peer.internal'], ownHosts: ['here.test', 'handles.test'] }

/** Words for the reason, null where the address may be requested. */
function reasonAgainst(address: string): string | null {
  const code = addressProblem(address, rules)
  return code === null ? null : descriptionOf({ code, values: {} })
}

describe('allowed addresses', () => {
  it.each([
    'https://mastodon.example/users/ada',
    'https://mastodon.example:443/users/ada?page=1#main-key',
    'https://sub.domain.example.org/@ada@other.example',
    'HTTPS://EXAMPLE.COM/',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://xn--p1b6ci4b4b3a.xn--11b4c3d/',
    'http://localhost:8788/actor',
    'https://localhost:8788/actor',
    'http://peer.internal/actor',
  ])('%s', (address) => {
    expect(reasonAgainst(address)).toBeNull()
  })
})

describe('addresses that are not', () => {
  it.each([
    ['http://mastodon.example/', 'is not https'],
    ['ftp://mastodon.example/', 'is not https'],
    ['file:///etc/passwd', 'is not https'],
    ['data:application/activity+json,{}', 'is not https'],
    ['javascript:alert(1)', 'is not https'],
    ['at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3', 'is no address'],
    ['//mastodon.example/users/ada', 'is no address'],
    ['/users/ada', 'is no address'],
    ['acct:ada@mastodon.example', 'is not https'],
    ['', 'is no address'],
    ['https://', 'is no address'],
    ['https://ada:secret@mastodon.example/', 'carries credentials'],
    ['https://ada@mastodon.example/', 'carries credentials'],
    ['http://ada@localhost:8788/', 'carries credentials'],
    ['https://mastodon.example:8443/', 'names a port'],
    ['https://mastodon.example:22/', 'names a port'],
    ['https://here.test/users/ada', 'is our own'],
    ['https://HERE.test/users/ada', 'is our own'],
    ['https://handles.test/@ada', 'is our own'],
    [`https://mastodon.example/${'x'.repeat(5_000)}`, 'is too long'],
    ['ftp://localhost:8788/', 'is not https'],
    ['http://localhost:8789/', 'is not https'],
    ['https://localhost:8789/', 'names a port'],
  ])('%s: %s', (address, problem) => {
    expect(reasonAgainst(address)).toBe(problem)
  })

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://１２７.０.０.１/',
    'https://127%2e0%2e0%2e1/',
    'https://127.0.0.1./',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[2001:db8::1]/',
    'https://[64:ff9b::7f00:1]/',
  ])('refuses a number in any spelling: %s [T-663]', (address) => {
    expect(reasonAgainst(address)).toBe('is a number')
  })

  it.each([
    'https://localhost/',
    'https://intranet/',
    'https://fieldfare/',
    'https://a..example/',
    'https://.example/',
  ])('refuses an incomplete host name: %s', (address) => {
    expect(reasonAgainst(address)).toBe('has no full host name')
  })

  it.each([
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://router.home.arpa/',
    'https://1.0.0.127.in-addr.arpa/',
    'https://nas.lan/',
    'https://abcdefghij.onion/',
    'https://abcdefghij.i2p/',
    'https://LOCALHOST.localdomain/',
  ])('refuses a private network: %s [T-664]', (address) => {
    expect(reasonAgainst(address)).toBe('leads into a private network')
  })

  it('refuses a second name of a host, which would evade its limits [T-665]', () => {
    expect(reasonAgainst('https://mastodon.example./')).toBe('ends in a dot')
    expect(reasonAgainst('https://localhost./')).toBe('ends in a dot')
  })
})
