import { beforeAll, describe, expect, it } from 'vitest'
import { ownerRole } from '../../src/domain/policy/owners'
import { scriptAddresses } from '../../src/lib/assets'
import { pagePolicy } from '../../src/web/page-policy'
import { Browser } from '../support/browser'
import { checkEach } from '../support/check-each'
import { given } from '../support/given'
import { signedIn } from '../support/members'
import { context, routes } from '../support/test-app'

/** The directives of a policy, by their names. */
function directivesOf(policy: string): Readonly<Record<string, string>> {
  const pairs = policy.split('; ').map((directive) => directive.split(/ (.*)/))
  return Object.fromEntries(pairs.map(([name = '', sources = '']) => [name, sources]))
}

const own = "'self'"

/** The policy of every page but for its script. */
const strict = {
  'default-src': "'none'",
  'style-src': own,
  'manifest-src': own,
  'img-src': own,
  'base-uri': "'none'",
}

describe('the policy of a page', () => {
  const { config } = context()

  it('a page without a script calls, runs and frames nothing', () => {
    expect(directivesOf(pagePolicy(config))).toEqual({
      ...strict,
      'form-action': own,
      'frame-ancestors': "'none'",
    })
  })

  it('each need of a script opens what it names and nothing else', () => {
    const policyOf = (...needs: readonly ('api' | 'worker' | 'previews')[]) =>
      directivesOf(pagePolicy(config, { script: 'crop.js', needs }))
    const script = { ...directivesOf(pagePolicy(config)), 'script-src': expect.any(String) }
    expect(policyOf()).toEqual(script)
    expect(policyOf('api')).toEqual({ ...script, 'connect-src': own })
    expect(policyOf('worker')).toEqual({ ...script, 'worker-src': own })
    expect(policyOf('previews')).toEqual({
      ...script,
      'img-src': "'self' blob:",
      'media-src': "'self' blob:",
    })
  })

  it('files of a separate host are shown and played, and nothing is loaded from there', () => {
    const media = { ...config, mediaBase: 'https://files.example/' }
    const policy = directivesOf(pagePolicy(media, { playsMedia: true }))
    expect(policy['img-src']).toBe("'self' https://files.example")
    expect(policy['media-src']).toBe("'self' https://files.example")
    expect(policy['style-src']).toBe(own)
  })
})

/** Paths of pages, with values for their parameters. */
let paths: readonly string[]

beforeAll(async () => {
  const alice = await given.account()
  const status = await given.status({ by: alice, text: 'Hello #birds' })
  const values: readonly (readonly [RegExp, string])[] = [
    [/^\/:handle\{.*?\}\/:id\{\[0-9\]\{1,16\}\}/, `/@${alice.username}/${status.id}`],
    [/^\/:handle\{[^}]*\}/, `/@${alice.username}`],
    [/:[a-z_]+(\{[^/]*\})?/g, '1'],
  ]
  const filled = routes
    .filter(({ method, path }) => method === 'GET' && !/^\/(api|setup|nodeinfo|\.well-known)\b|\*/.test(path))
    .map(({ path }) => values.reduce((text, [pattern, value]) => text.replace(pattern, value), path))
  paths = [...new Set(filled)]
})

describe.each(['a visitor', 'a member', 'an owner'])('each page for %s', (who) => {
  it('the page has a policy without unsafe sources that names each script by its path', async () => {
    const browser =
      who === 'a visitor'
        ? new Browser()
        : (await signedIn(who === 'an owner' ? { user: { roleId: ownerRole } } : {})).browser
    const scripts = new Set(
      (
        [
          'accounts.js',
          'challenge.js',
          'charts.js',
          'client.js',
          'crop.js',
          'offline.js',
          'passkeys.js',
          'push.js',
        ] as const
      ).flatMap((name) => scriptAddresses('https://fieldfare.test', name)),
    )
    let pages = 0
    await checkEach(paths, { name: (path) => path, atOnce: 4 }, async (path) => {
      const { headers } = await browser.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).not.toContain('unsafe')
      expect(policy).toContain("default-src 'none'")
      if (headers.get('content-type')?.startsWith('text/html') !== true) return
      pages += 1
      const { 'script-src': script = '', ...others } = directivesOf(policy)
      for (const source of script.split(' ').filter((one) => one !== '')) expect(scripts).toContain(source)
      const frames = path.endsWith('/embed') ? '*' : "'none'"
      const calls = /\/(client|offline)\.js/.test(script) ? { 'connect-src': own } : {}
      const workers = /\/(client|push)\.js/.test(script) ? { 'worker-src': own } : {}
      // Columns are pages of this server in frames.
      const columns = path === '/columns' ? { 'frame-src': own } : {}
      const allowed = {
        ...strict,
        ...columns,
        ...calls,
        ...workers,
        'media-src': own,
        'form-action': own,
        'frame-ancestors': frames,
      }
      expect(allowed).toMatchObject(others)
      expect(Object.keys(others)).toEqual(expect.arrayContaining(['img-src', 'frame-ancestors', 'base-uri']))
    })
    expect(pages).toBeGreaterThan(who === 'an owner' ? 60 : 20)
  })
})
