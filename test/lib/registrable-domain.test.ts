import { expect, it } from 'vitest'
import { registrableDomain } from '../../src/lib/registrable-domain'

it.each([
  ['example.org', 'example.org'],
  ['social.example.org', 'example.org'],
  ['a.b.c.example.org:8443', 'example.org'],
  ['SOCIAL.Example.org', 'example.org'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['a.b.example.org.np', 'example.org.np'],
  ['alice.workers.dev', 'alice.workers.dev'],
  ['social.alice.workers.dev', 'alice.workers.dev'],
  ['a.xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['a.b.peer.test', 'peer.test'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['192.0.2.7:8080', '192.0.2.7'],
  ['', ''],
])('the registrable domain of "%s" is "%s"', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain)
})
