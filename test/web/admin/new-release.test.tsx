import type { Child } from 'hono/jsx'
import { expect, it } from 'vitest'
import { softwareVersion } from '../../../src/contract/version'
import type { NewRelease } from '../../../src/domain/instance/releases'
import { NewReleaseNotice } from '../../../src/web/components/admin/new-release'
import { textOf } from '../../support/browser'
import { inEnglishPages } from '../../support/english'

const release: NewRelease = {
  version: '7.8.9',
  releasedAt: new Date('2026-12-01T10:00:00Z'),
  url: 'https://git.test/a/b/releases',
  updateUrl: null,
  supportedUntil: new Date('2027-03-01T10:00:00Z'),
}

function shown(of: NewRelease | null): string {
  const [named] = inEnglishPages([{ name: 'notice', page: (<NewReleaseNotice release={of} />) as Child }])
  return String(named?.page)
}

it('the dashboard names a newer version, the end of support of the running one, its changes and the guide', () => {
  const html = shown(release)
  const text = textOf(html)
  expect(text).toContain('Version 7.8.9 is available')
  expect(text).toContain(`This server runs ${softwareVersion}.`)
  expect(text).toMatch(/is supported until .*2027/)
  expect(html).toContain('href="https://git.test/a/b/releases"')
  expect(html).toContain('href="/docs/operate/upgrade/"')
})

it('the dashboard names no end of support for a patch, and shows nothing without a newer version', () => {
  expect(textOf(shown({ ...release, supportedUntil: null }))).not.toContain('supported until')
  expect(shown(null)).toBe('')
})

it('the dashboard leads to the workflow of the copy, where the server was deployed from one', () => {
  const workflow = 'https://github.com/birds/copy/actions/workflows/update.yml'
  const html = shown({ ...release, updateUrl: workflow })
  expect(html).toContain(`href="${workflow}"`)
  expect(textOf(html)).toContain('Update your copy at GitHub')
  expect(shown(release)).not.toContain('actions/workflows')
})
