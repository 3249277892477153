import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { LiteralRouter } from '../../src/lib/route-path'

/** An app whose answers name the handlers and middleware that saw the request. */
function namingApp() {
  const app = new Hono<{ Variables: { seen: string[] } }>({ router: new LiteralRouter() })
  app.use('*', async (c, next) => {
    c.set('seen', ['all'])
    await next()
  })
  app.use('/api/*', async (c, next) => {
    c.get('seen').push('api')
    await next()
  })
  app.get('/api/home', (c) => c.text([...c.get('seen'), 'home', JSON.stringify(c.req.param())].join(' ')))
  app.post('/api/home', (c) => c.text([...c.get('seen'), 'post'].join(' ')))
  app.get('/api/:id', (c) => c.text([...c.get('seen'), JSON.stringify(c.req.param())].join(' ')))
  const answer = async (path: string, method = 'GET') => (await app.request(path, { method })).text()
  return answer
}

it('finds a literal path on each request, by method, beside paths with parameters', async () => {
  const answer = namingApp()
  for (let round = 0; round < 3; round += 1) {
    expect(await answer('/api/home')).toBe('all api home {}')
    expect(await answer('/api/home', 'POST')).toBe('all api post')
    expect(await answer('/api/7')).toBe('all api {"id":"7"}')
    expect(await answer('/api/8')).toBe('all api {"id":"8"}')
    expect(await answer('/api/home', 'PROPFIND')).toBe('404 Not Found')
  }
})

it('looks up a literal path once for each method, and every other path each time', () => {
  const router = new LiteralRouter<string>()
  router.add('GET', '/api/home', 'home')
  router.add('GET', '/api/:id', 'one')
  expect(router.match('GET', '/api/home')).toBe(router.match('GET', '/api/home'))
  expect(router.match('GET', '/api/1')).not.toBe(router.match('GET', '/api/1'))
  expect(router.match('PROPFIND', '/api/home')).not.toBe(router.match('PROPFIND', '/api/home'))
})
