import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sendWithEffect, sendWithoutEffect } from '../e2e/support/effect'
import { adminRoutes, flows, isPreview, routesWithoutFlow } from '../e2e/support/panel-flows'

it('every page and form of administration is clicked through in a browser', () => {
  expect(routesWithoutFlow()).toEqual([])
})

// The last test of each file compares what the browser was answered with this list.
it.each(Object.keys(flows))(
  'the flow %s has a test that opens all of its pages and sends all of its forms',
  (name) => {
    const text = readFileSync(`test/e2e/browser/administration-${name}.test.ts`, 'utf8')
    expect(text).toContain(
      `expect(routesOf('${name}').filter((route) => !panel.used.has(route))).toEqual([])`,
    )
  },
)

it('forms that only show something are among the routes, and few', () => {
  const previews = adminRoutes.filter(isPreview)
  expect(previews).toEqual([
    'POST /admin/blocklists/:id/review',
    'POST /admin/branding/colour/preview',
    'POST /admin/branding/front-page/preview',
    'POST /admin/branding/style-sheet/preview',
    'POST /admin/domain_blocks/open',
    'POST /admin/domain_blocks/preview',
    'POST /admin/instances/:domain/check',
    'POST /admin/terms/preview',
  ])
})

describe('the effect of a form', () => {
  const name = 'Save'
  /** A mailbox, with what reading it and sending a form do to it. */
  function mailbox(onReading: readonly string[] = []) {
    const mails: string[] = []
    const at = () => {
      mails.push(...onReading)
      return mails
    }
    return { mails, evidence: [{ at }, 'owner'] as const }
  }

  it('the effect of a form is seen where the state changes, at once or later', async () => {
    const { mails, evidence } = mailbox()
    const send = async () => {
      queueMicrotask(() => mails.push('later'))
      return 'Saved.'
    }
    expect(await sendWithEffect({ evidence, name, send })).toBe('Saved.')
    await expect(sendWithoutEffect({ evidence, name, send })).rejects.toThrow('state after “Save”')
  })

  it('the effect of a form is missing where the state stays', async () => {
    const { evidence } = mailbox()
    const send = async () => 'Saved.'
    const sent = sendWithEffect({ evidence, name, send, patience: 10 })
    await expect(sent).rejects.toThrow('effect of “Save”')
    expect(await sendWithoutEffect({ evidence, name, send })).toBe('Saved.')
  })

  it('the effect of a form is not shown by what changes by itself, or by the audit log', async () => {
    const { evidence } = mailbox(['one more'])
    const send = async () => 'Saved.'
    await expect(sendWithEffect({ evidence, name, send })).rejects.toThrow('read again')
    const caller = { origin: 'http://127.0.0.1:9', token: '' }
    const log = [caller, '/api/fieldfare/v1/admin/audit_log'] as const
    await expect(sendWithEffect({ evidence: log, name, send })).rejects.toThrow('no evidence')
  })
})
