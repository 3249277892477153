import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { ownerRole } from '../../src/domain/policy/owners'
import { isSecretField } from '../../src/web/components/typed-values'
import { settingsPages } from '../../src/web/pages/settings'
import { Browser, hiddenFields } from '../support/browser'
import { password, signedIn } from '../support/members'

const paths = settingsPages.map(({ path }) => path)
const owner = { user: { roleId: ownerRole } } as const

/** Fields of a form that people fill in, with what the page shows in them. */
interface Filled {
  readonly action: string
  readonly texts: Map<string, string>
  /** Options by the name of the select or of the radio boxes. */
  readonly options: Map<string, string[]>
  readonly chosen: Map<string, string>
  readonly boxes: Map<string, boolean>
}

/** Forms of a page that have fields; forms of buttons alone are left out. */
function formsOf(html: string): readonly Filled[] {
  const forms: Filled[] = []
  let [form, select, area]: [Filled | null, string, string] = [null, '', '']
  const add = (all: Map<string, string[]>, name: string, value: string) =>
    all.set(name, [...(all.get(name) ?? []), value])
  const parser = new Parser({
    onopentag(tag, { action = '', name = '', value = '', type = 'text', checked, selected, method }) {
      if (tag === 'form' && method === 'post') {
        form = { action, texts: new Map(), options: new Map(), chosen: new Map(), boxes: new Map() }
        forms.push(form)
      }
      if (form === null) return
      if (tag === 'select') select = name
      if (tag === 'textarea') {
        area = name
        form.texts.set(name, '')
      }
      if (tag === 'option') add(form.options, select, value)
      if (tag === 'option' && selected !== undefined) form.chosen.set(select, value)
      if (tag !== 'input' || name === '') return
      if (type === 'checkbox') form.boxes.set(name, checked !== undefined)
      else if (type === 'radio') {
        add(form.options, name, value)
        if (checked !== undefined) form.chosen.set(name, value)
      } else if (type !== 'hidden' && type !== 'file' && type !== 'password') form.texts.set(name, value)
    },
    ontext(text) {
      if (area !== '') form?.texts.set(area, (form.texts.get(area) ?? '') + text)
    },
    onclosetag(tag) {
      if (tag === 'textarea') area = ''
      if (tag === 'form') form = null
    },
  })
  parser.end(html)
  return forms.filter(({ texts, options, boxes }) => texts.size + options.size + boxes.size > 0)
}

/** Other values than those that the form shows. */
function typedInto({ texts, options, chosen, boxes }: Filled): Record<string, string> {
  const typed: Record<string, string> = {}
  for (const name of texts.keys()) if (!isSecretField(name)) typed[name] = `"${name}" & <typed>`
  for (const [name, values] of options) typed[name] = values.findLast((one) => one !== chosen.get(name)) ?? ''
  for (const [name, isTicked] of boxes) if (!isTicked) typed[name] = 'true'
  return typed
}

/** Fields of the form at `action` that do not show what was typed. */
function lostIn(html: string, before: Filled, typed: Readonly<Record<string, string>>): readonly string[] {
  const after = formsOf(html).find(({ action }) => action === before.action)
  if (after === undefined) return [`no form to ${before.action}`]
  const texts = [...before.texts.keys()].filter(
    (name) => !isSecretField(name) && after.texts.get(name) !== typed[name],
  )
  const choices = [...before.options.keys()].filter((name) => after.chosen.get(name) !== typed[name])
  const boxes = [...before.boxes.keys()].filter((name) => after.boxes.get(name) !== (typed[name] === 'true'))
  return [...texts, ...choices, ...boxes]
}

describe('a form of settings keeps every typed value', () => {
  it.each(paths)('when its session has ended: %s', async (path) => {
    const { member, browser } = await signedIn(owner)
    const { html } = await browser.get(path)
    for (const form of formsOf(html)) {
      const typed = typedInto(form)
      const late = new Browser()
      await late.signIn(member.username, password)
      const hidden = hiddenFields((await late.get(path)).html, form.action)
      // Another tab has noticed that the session is over: its cookie is gone.
      const fresh = new Browser()
      const sent = await fresh.post(
        form.action,
        { ...hidden, ...typed },
        { headers: { origin: 'https://fieldfare.test' } },
      )
      expect(sent.location, form.action).toBe(`/auth/sign_in?${new URLSearchParams({ return_to: path })}`)
      expect((await fresh.get(sent.location ?? '')).html).toContain('Your text is kept.')
      await fresh.signIn(member.username, password, path)
      expect(lostIn((await fresh.get(path)).html, form, typed), form.action).toEqual([])
    }
  })

  it.each(paths)('when it is refused: %s', async (path) => {
    const { browser } = await signedIn(owner)
    for (const form of formsOf((await browser.get(path)).html)) {
      const typed = typedInto(form)
      const refusal = await refuse(browser, { path, form, typed })
      if (refusal === null) {
        expect(neverRefused).toContain(form.action)
        continue
      }
      const lost = lostIn(refusal.html, form, typed).filter((name) => name !== refusal.wrong)
      expect(lost, form.action).toEqual([])
    }
  })
})

/** Forms that make something of whatever is sent: boxes alone, and choices of which unknown ones change nothing. */
const neverRefused = ['/settings/notifications', '/settings/notification_policy']

interface Attempt {
  readonly path: string
  readonly form: Filled
  readonly typed: Readonly<Record<string, string>>
}

/** Sends a form with one field after the other empty or not as offered, until it is refused; null if it never is. */
async function refuse(browser: Browser, { path, form, typed }: Attempt) {
  const attempts = [
    { wrong: '', fields: typed },
    ...[...form.texts.keys(), ...form.options.keys()].flatMap((wrong) =>
      ['', 'none of those offered', 'n'.repeat(400)].map((value) => ({
        wrong,
        fields: { ...typed, [wrong]: value },
      })),
    ),
  ]
  for (const { wrong, fields } of attempts) {
    const page = await browser.fill(path, fields, { action: form.action })
    if (page.status === 422 || page.status === 409) return { html: page.html, wrong }
    expect(page.status, form.action).toBe(303)
  }
  return null
}
