import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Door, openDoor } from './support/door'
import { type FedifyPeer, openFedifyPeer } from './support/peer-process'
import { Router } from './support/router'

const router = new Router()
let door: Door
let fern: FedifyPeer
let other: FedifyPeer

beforeAll(async () => {
  router.install()
  door = await openDoor(router, ['peer.test', 'peer9.test', 'a.test'])
  fern = await openFedifyPeer(router, door, 'peer.test', 'draft-cavage-http-signatures-12')
  other = await openFedifyPeer(router, door, 'peer9.test', 'rfc9421')
})
afterAll(async () => {
  await Promise.all([fern?.close(), other?.close()])
  door?.close()
  router.uninstall()
})

it('leads a foreign server to others over https, whichever signature it tries first', async () => {
  const found = await fern.command('find', { to: other.handle })
  expect(found).toMatchObject({ id: other.uri })
  await fern.command('follow', { to: other.handle })
  await expect.poll(() => other.seen()).toMatchObject([{ type: 'Follow', actor: fern.uri }])
  await expect.poll(() => fern.seen()).toMatchObject([{ type: 'Accept', actor: other.uri }])
})
