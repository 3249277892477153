import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usedChallenges } from '../../src/db/schema'
import { saveSettings } from '../../src/domain/instance/save-settings'
import { operator } from '../../src/domain/policy/permissions'
import { scriptAddresses } from '../../src/lib/assets'
import { sign } from '../../src/lib/secrets'
import type { Overrides } from '../../src/wire'
import { Browser, textOf } from '../support/browser'
import { fakeMailer, linkIn } from '../support/fake-mailer'
import { apiForm, member, pageForm, signUp } from '../support/sign-up'
import { challengeIn, foreignChallenge, solved } from '../support/solve-challenge'
import { clock, context } from '../support/test-app'

const path = '/auth/sign_up'

beforeAll(() => saveSettings(context(), operator, { signUpChallenge: true }))
afterAll(() => saveSettings(context(), operator, { signUpChallenge: false }))

/** Opens the page, solves its challenge, and sends the form with these fields. */
async function solveAndSend(browser: Browser, more: Readonly<Record<string, string>> = {}) {
  const fields = pageForm(more)
  const challenge = await solved(challengeIn((await browser.get(path)).html))
  return { fields, challenge, page: await browser.fill(path, { ...fields, challenge }) }
}

const problemIn = (html: string) =>
  /class="error">.*?<\/span>([^<]*)<\/p>/.exec(html.split('data-challenge')[1] ?? '')?.[1]

describe('the sign-up page with a challenge', () => {
  it('creates an account for a browser that solved the challenge, once', async () => {
    const browser = new Browser()
    const { fields, challenge, page } = await solveAndSend(browser)
    expect(page.location).toBe('/start')
    expect(await member(fields.username)).toMatchObject({ approved: true })
    const second = pageForm()
    const again = await new Browser().fill(path, { ...second, challenge })
    expect(again.status).toBe(422)
    expect(problemIn(again.html)).toBe('Challenge has expired: send the form again.')
    expect(await member(second.username)).toBeNull()
    const third = pageForm()
    const other = await solved(challengeIn(again.html))
    expect((await new Browser().fill(path, { ...third, challenge: other })).location).toBe('/start')
  })

  it('explains the challenge, and runs only its script', async () => {
    const { html, headers } = await new Browser().get(path)
    expect(textOf(html)).toContain('It needs JavaScript for that.')
    const policy = headers.get('content-security-policy')
    const allowed = scriptAddresses('https://fieldfare.test', 'challenge.js').join(' ')
    expect(policy).toContain(`script-src ${allowed};`)
    expect(html).toContain('One moment: your browser is solving a small task')
    expect(policy).not.toContain('unsafe')
    const sources = [...html.matchAll(/<script type="module" src="([^"?]*)[^>]*>/g)].map(([, src]) => src)
    expect(html.match(/<script/g)).toHaveLength(sources.length)
    expect(allowed.split(' ').toSorted()).toEqual(
      sources.map((src) => `https://fieldfare.test${src}`).toSorted(),
    )
  })

  it('the sign-up page with a challenge has no challenge while it is switched off, or sign-up is closed', async () => {
    for (const patch of [{ signUpChallenge: false }, { registrations: 'closed' }] as const) {
      await saveSettings(context(), operator, patch)
      const { html, headers } = await new Browser().get(path)
      expect(challengeIn(html)).toBeNull()
      expect(html).not.toContain('<script')
      expect(headers.get('content-security-policy')).not.toContain('script-src')
      await saveSettings(context(), operator, { signUpChallenge: true, registrations: 'open' })
    }
  })

  const refusals: Readonly<Record<string, () => Promise<string>>> = {
    'no solution': async () => '',
    'no base64': async () => '{"challenge":1}',
    'no JSON': async () => btoa('solved'),
    'another shape': async () => btoa(JSON.stringify({ challenge: {}, solution: {} })),
    'an endless text': async () => 'A'.repeat(40_000),
    'a wrong key': async () => {
      const answer = JSON.parse(atob(await spareAnswer()))
      return btoa(JSON.stringify({ ...answer, solution: { counter: 1, derivedKey: '00'.repeat(32) } }))
    },
    'the prefix of the key alone': async () => {
      const answer = JSON.parse(atob(await spareAnswer()))
      const derivedKey = `${answer.challenge.parameters.keyPrefix}${'00'.repeat(16)}`
      return btoa(JSON.stringify({ ...answer, solution: { ...answer.solution, derivedKey } }))
    },
    'a later expiry written into it': async () => {
      const answer = JSON.parse(atob(await spareAnswer()))
      answer.challenge.parameters.data.expires += 1
      return btoa(JSON.stringify(answer))
    },
    'another nonce written into it': async () => {
      const answer = JSON.parse(atob(await spareAnswer()))
      answer.challenge.parameters.nonce = '00'.repeat(16)
      return btoa(JSON.stringify(answer))
    },
    'no key signature': async () => {
      const answer = JSON.parse(atob(await spareAnswer()))
      delete answer.challenge.parameters.keySignature
      return btoa(JSON.stringify(answer))
    },
    'the challenge of another server': async () =>
      solved(
        await foreignChallenge(
          { hmacSignatureSecret: 'another', hmacKeySignatureSecret: 'another' },
          clock.now().getTime() + 60_000,
        ),
        0,
      ),
    'the challenge of a server with this secret elsewhere': async () => {
      const secretFor = (purpose: string) => sign(context().config.secrets, purpose, 'https://elsewhere.test')
      return solved(
        await foreignChallenge(
          {
            hmacSignatureSecret: await secretFor('sign-up challenge'),
            hmacKeySignatureSecret: await secretFor('key of a sign-up challenge'),
          },
          clock.now().getTime() + 60_000,
        ),
        0,
      )
    },
  }

  const ownAnswer = async () => solved(challengeIn((await new Browser().get(path)).html))
  /** A solution that refusals are made of: they do not use it up. */
  let spare: Promise<string> | undefined
  const spareAnswer = () => {
    spare ??= ownAnswer()
    return spare
  }

  it.each(Object.entries(refusals))('creates no account for %s', async (_, answer) => {
    const fields = pageForm()
    const page = await new Browser().fill(path, { ...fields, challenge: await answer() })
    expect(page.status).toBe(422)
    expect(problemIn(page.html)).toMatch(/^Challenge (is not solved|was not solved by the browser)/)
    expect(await member(fields.username)).toBeNull()
    expect(challengeIn(page.html)).not.toBeNull()
  })

  it('creates no account two hours later', async () => {
    const browser = new Browser()
    const challenge = await solved(challengeIn((await browser.get(path)).html))
    const fields = pageForm()
    clock.advance(2 * 3_600_000)
    const page = await browser.fill(path, { ...fields, challenge })
    expect(problemIn(page.html)).toBe('Challenge has expired: send the form again.')
    expect(await member(fields.username)).toBeNull()
  })

  it('keeps a solution for another try after another error', async () => {
    const browser = new Browser()
    const { challenge, page } = await solveAndSend(browser, { agreement: '' })
    expect(page.status).toBe(422)
    expect((await browser.fill(path, { ...pageForm(), challenge })).location).toBe('/start')
  })

  it('accepts the solution for one of two sign-ups at once', async () => {
    const challenge = await ownAnswer()
    const pages = await Promise.all([1, 2].map(() => new Browser().fill(path, { ...pageForm(), challenge })))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422])
  })

  it('costs the sign-up no round trip, and writes one row', async () => {
    const browser = new Browser()
    await saveSettings(context(), operator, { signUpChallenge: false })
    const before = await browser.fill(path, pageForm())
    await saveSettings(context(), operator, { signUpChallenge: true })
    const { page } = await solveAndSend(new Browser())
    expect(page.costs.trips).toBe(before.costs.trips)
    // The row, and the entry of the index that makes it unique.
    expect(page.costs.rowsWritten - before.costs.rowsWritten).toBeLessThanOrEqual(2)
    const shown = await new Browser().get(path)
    expect(shown.costs.rowsWritten).toBe(0)
  })

  it('stores only a hash until the challenge expires', async () => {
    const { challenge } = await solveAndSend(new Browser())
    const { nonce } = JSON.parse(atob(challenge)).challenge.parameters
    const rows = await context().db.select().from(usedChallenges)
    expect(JSON.stringify(rows)).not.toContain(nonce)
    const { expires } = JSON.parse(atob(challenge)).challenge.parameters.data
    expect(
      await context()
        .db.select()
        .from(usedChallenges)
        .where(eq(usedChallenges.expiresAt, new Date(expires))),
    ).not.toEqual([])
  })
})

describe('a sign-up by an application', () => {
  const mailing = (): ReturnType<typeof fakeMailer> => fakeMailer()

  async function viaApp(overrides: Overrides) {
    const form = apiForm()
    const answer = await signUp(form, { overrides })
    return { form, answer }
  }

  it('a sign-up by an application is refused where no mail is sent, and names the page', async () => {
    const { form, answer } = await viaApp({})
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error:
          'Validation failed: Challenge has to be solved by a browser: sign up at https://fieldfare.test/auth/sign_up',
        details: { challenge: [{ error: 'ERR_BLANK' }] },
      },
    })
    expect(await member(form.username)).toBeNull()
  })

  it('works without a challenge, which the browser that confirms the address solves', async () => {
    const mails = mailing()
    const { form, answer } = await viaApp(mails.overrides)
    expect(answer.status).toBe(200)
    const link = linkIn((await mails.deliver())[0])
    const browser = new Browser(mails.overrides)
    const asked = await browser.get(link)
    expect(asked.status).toBe(200)
    expect(textOf(asked.html)).toContain('One more step')
    expect(asked.headers.get('content-security-policy')).toContain('/assets/challenge.js')
    expect((await member(form.username))?.confirmedAt).toBeNull()
    for (const challenge of ['', btoa('{}')]) {
      const refused = await browser.fill(link, { challenge })
      expect(refused.status).toBe(422)
      expect((await member(form.username))?.confirmedAt).toBeNull()
    }
    const challenge = await solved(challengeIn(asked.html))
    const done = await browser.fill(link, { challenge })
    expect(textOf(done.html)).toContain('Welcome aboard')
    expect((await member(form.username))?.confirmedAt).not.toBeNull()
    const other = await viaApp(mails.overrides)
    const second = await new Browser(mails.overrides).fill(linkIn((await mails.deliver())[0]), { challenge })
    expect(second.status).toBe(422)
    expect((await member(other.form.username))?.confirmedAt).toBeNull()
  })

  it('confirms by the link alone once the challenge is switched off, as a sign-up on the page does', async () => {
    const mails = mailing()
    const { form } = await viaApp(mails.overrides)
    const link = linkIn((await mails.deliver())[0])
    await saveSettings(context(), operator, { signUpChallenge: false })
    expect(textOf((await new Browser(mails.overrides).get(link)).html)).toContain('Welcome aboard')
    expect((await member(form.username))?.confirmedAt).not.toBeNull()
    await saveSettings(context(), operator, { signUpChallenge: true })
    const { fields } = await solveAndSend(new Browser(mails.overrides))
    const own = linkIn((await mails.deliver())[0])
    expect(textOf((await new Browser(mails.overrides).get(own)).html)).toContain('Welcome aboard')
    expect((await member(fields.username))?.confirmedAt).not.toBeNull()
  })

  it('shows no challenge for an invalid link', async () => {
    const page = await new Browser(mailing().overrides).get('/auth/confirmation?confirmation_token=x')
    expect(page.status).toBe(403)
    expect(challengeIn(page.html)).toBeNull()
  })
})
