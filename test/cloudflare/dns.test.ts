import { expect, it } from 'vitest'
import { reachBy } from '../../src/cloudflare/mailer'

it('returns the mail hosts of a domain, and recognises one without mail by its empty host', () => {
  expect(reachBy(['MX1.Host.test.', 'mx2.host.test'])).toEqual({
    acceptsMail: true,
    hosts: ['mx1.host.test', 'mx2.host.test'],
  })
  expect(reachBy([''])).toEqual({ acceptsMail: false, hosts: [] })
  expect(reachBy(['.'])).toEqual({ acceptsMail: false, hosts: [] })
})
