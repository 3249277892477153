import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../support/http'
import { domain, newPerson, newTag, type Person } from '../support/people'
import { commandsOfToot, run, withToot } from '../support/python'
import { authorize, type Member, newMember, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

/** Every command of the installed toot, whatever its version. */
const commands = commandsOfToot()

const picture = join(import.meta.dirname, '../../data/media/rgb.png')
const local = ['--disable-https']

withToot('every command of toot', () => {
  const home = mkdtempSync(join(tmpdir(), 'fieldfare-toot-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  /** Reason for which a command failed; null where it succeeded. */
  const outcomes = new Map<string, string | null>()
  const toot = (...args: readonly string[]) => run('/usr/bin/toot', args, { home })

  /** Calls one command and holds what it shows against `words`; a command called twice has to do well both times. */
  async function shows(args: readonly string[], ...words: readonly string[]): Promise<string> {
    const { code, text } = await toot(...args)
    return note(args[0] ?? '', { code, text }, words)
  }

  function note(
    command: string,
    { code, text }: { readonly code: number | null; readonly text: string },
    words: readonly string[],
  ): string {
    const missing = words.filter((word) => !text.includes(word))
    const problem =
      code === 0 && missing.length === 0 ? null : `${code}, without ${missing.join(', ')}: ${text}`
    outcomes.set(command, outcomes.get(command) ?? problem)
    return text
  }

  let member: Member
  let bob: Person
  beforeAll(async () => {
    const visitor = new Visitor()
    ;[member, bob] = [await signUp(visitor, newMember()), await newPerson('bob')]
    await signIn(visitor)
    await aboutServer()
    await posting()
    await people()
    await hashtags()
    await leaving()
  }, 240_000)

  async function signIn(visitor: Visitor) {
    let typed = 0
    const converse = async (said: string) => {
      if (typed === 0 && said.includes('[Y/n]')) {
        typed = 1
        return 'n\n'
      }
      const address = /https?:\/\/\S+\/oauth\/authorize\S+/.exec(said)?.[0]
      if (typed !== 1 || address === undefined || !said.includes('Authorization code')) return null
      typed = 2
      const page = await authorize(visitor, member, address)
      return `${page.url.searchParams.get('code')}\n`
    }
    const ended = await run('/usr/bin/toot', ['login', '-i', domain, ...local], { home, converse })
    note('login', ended, ['Successfully logged in'])
    await shows(['auth'], `${member.username}@${domain}`)
    await shows(['activate', `${member.username}@${domain}`], 'active')
    await shows(['env'], 'toot ')
    // As in Mastodon since 4.4, no app gets to see a password.
    const console = await run('/usr/bin/toot', ['login_cli', '-i', domain, '-e', member.email, ...local], {
      home,
    })
    note('login_cli', { ...console, code: console.code === 1 ? 0 : console.code }, ['Login failed'])
  }

  async function aboutServer() {
    await shows(
      ['instance', ...local],
      'The Hedge',
      'running Mastodon 4.6.5+fieldfare-',
      'Be kind to small birds',
    )
    await shows(['whoami'], `@${member.username}`, `ID: `)
    await shows(['whois', bob.acct], `@${bob.username}`, bob.id)
    await shows(['search', bob.username], 'Accounts:', `@${bob.username}`)
  }

  const idIn = (text: string) => /\/(\d+)\s*$/.exec(text.trim())?.[1] ?? ''

  async function posting() {
    const first = idIn(await shows(['post', 'Two wrens', '-p', 'Birds', '-l', 'en'], 'Toot posted: '))
    const media = ['-m', picture, '-d', 'A wren']
    const second = idIn(await shows(['post', 'A robin', '-r', first, ...media], 'Toot posted: '))
    await shows(['post', 'Tomorrow', '--scheduled-in', '1 day'], 'Toot scheduled for: ')
    await shows(['upload', picture, '-d', 'A wren'], 'Successfully uploaded media', "'image'")
    await shows(['thread', second], 'Two wrens', 'A robin', 'Media:')
    await shows(['timeline', '-1'], 'A robin')
    await shows(['timeline', '--public', '--local', '-1', '-c', '20'], 'A robin')
    const screen = await run('screen.py', ['A robin'], { home })
    note('tui', screen, ['shown'])
    for (const [done, undone, past] of [
      ['favourite', 'unfavourite', 'favourited'],
      ['reblog', 'unreblog', 'reblogged'],
      ['pin', 'unpin', 'pinned'],
      ['bookmark', 'unbookmark', 'bookmarked'],
    ] as const) {
      await shows([done, first], `Status ${past}`)
      if (done === 'reblog') await shows(['reblogged_by', first], `@${member.username}`)
      if (done === 'bookmark') await shows(['bookmarks', '-1'], 'Two wrens')
      await shows([undone, first], `Status un${past}`)
    }
    await shows(['delete', second], 'Status deleted')
    expect((await call(`/api/v1/statuses/${second}`)).status).toBe(404)
  }

  async function people() {
    await shows(['follow', bob.acct], 'You are now following')
    await shows(['following', member.username], `@${bob.username}`)
    await shows(['followers', bob.acct], `@${member.username}`)
    await call('/api/v1/statuses', {
      method: 'POST',
      as: bob,
      body: new URLSearchParams({ status: `@${member.username} psst` }),
    })
    await shows(['notifications'], 'mentioned you in', 'psst')
    await shows(['notifications', '--clear'], 'Cleared notifications')
    await shows(['unfollow', bob.acct], 'no longer following')
    await shows(['mute', bob.acct], 'You have muted')
    await shows(['unmute', bob.acct], 'no longer muted')
    await shows(['block', bob.acct], 'You are now blocking')
    await shows(['unblock', bob.acct], 'no longer blocked')
  }

  async function hashtags() {
    const tag = newTag('toot')
    await shows(['tags_follow', `#${tag}`], `now following #${tag}`)
    await shows(['tags_followed'], `#${tag}`)
    await shows(['post', `Now #${tag}`], 'Toot posted: ')
    await shows(['timeline', '--tag', tag, '-1'], `Now #${tag}`)
    await shows(['tags_unfollow', tag], `no longer following #${tag}`)
  }

  async function leaving() {
    await shows(['logout', `${member.username}@${domain}`], 'logged out')
  }

  it('every command of toot is called', () => {
    expect(commands.length).toBeGreaterThan(30)
    expect([...outcomes.keys()].toSorted()).toEqual(commands.toSorted())
  })

  it.each(commands)('%s works as documented', (command) => {
    expect(outcomes.get(command)).toBeNull()
  })
})
