import { expect, it } from 'vitest'
import { buildApp } from '../../src/app'
import { Hono } from '../../src/lib/hono'

it('matches paths with the router that hono itself settles on for ours', () => {
  const { router } = buildApp(() => {
    throw new Error('no request is made')
  })
  router.match('GET', '/api/v1/instance')
  expect(router.name).toBe(`SmartRouter + ${new Hono().router.name}`)
})
