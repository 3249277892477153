import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Instance, openInstance } from './support/instance'
import { Router } from './support/router'

const router = new Router()
let a: Instance
let b: Instance

beforeAll(async () => {
  router.install()
  ;[a, b] = await Promise.all([openInstance('a', router), openInstance('b', router)])
})

afterAll(async () => {
  await Promise.all([a?.close(), b?.close()])
  router.uninstall()
})

it('starts two servers that know themselves by their own names', async () => {
  const alice = await a.member('alice')
  expect(alice.handle).toBe('alice@a.test')
  expect((await b.fetch('/api/v2/instance')).status).toBe(200)
  await a.restart()
  expect(await a.query('SELECT username FROM accounts WHERE username = ?', 'alice')).toHaveLength(1)
  expect(a.complaints()).toEqual([])
})
