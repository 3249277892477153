import { expect, it } from 'vitest'
import { personalDataIn, takeLeaks } from '../support/log-guard'

const line = (facts: object) => JSON.stringify({ level: 'info', message: 'It happened', ...facts })

it.each([
  [{ to: 'ada@mail.example' }, 'an e-mail address or handle'],
  [{ cause: 'Error: 192.0.2.17 was refused' }, 'a network address'],
  [{ network: '2001:db8:1:2:3:4:5:6' }, 'a network address'],
  [{ header: 'Bearer abcdefghij' }, 'credentials'],
  [{ key: 'kZ3v9QpLr7XwY2mN5bTcF8hJdG4sAeUi1oPq6RtVyWz' }, 'a token'],
  [{ password: 'seed-and-worm' }, 'a password'],
  [{ cause: 'a-setup-token-for-tests' }, 'a secret of the tests'],
])('the log guard detects %j', (facts, kind) => {
  expect(personalDataIn(line(facts))).toContain(kind)
})

it('the log guard allows ids, hosts and versions', () => {
  const facts = {
    requestId: 'ca5e9b44-d0e8-4230-b847-2133f125fec9',
    host: 'birds.example',
    cause: 'Error: https://birds.example/… answered 503',
    at: '2026-11-23T12:00:00.000Z',
    to: '…@mail.example',
    token: '[secret]',
    version: 'Mastodon 4.4.1',
  }
  expect(personalDataIn(line(facts))).toEqual([])
})

it('the log guard checks written lines', () => {
  console.info(line({ to: 'ada@mail.example' }))
  console.info('ada@mail.example')
  expect(takeLeaks()).toHaveLength(1)
})
