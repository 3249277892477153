import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { settingsPages } from '../../../src/web/pages/settings'
import { useBrowser, withChromium } from '../support/browser'
import { accountFlows } from './settings/account-flows'
import { peopleFlows } from './settings/people-flows'
import { profileFlows } from './settings/profile-flows'
import { effectiveForms, runFlow } from './settings/setting'
import { twoFactor } from './settings/two-factor-flow'

const flows = { ...profileFlows, ...peopleFlows, ...accountFlows, '/settings/two-factor': twoFactor }

/** Pages whose flows have a file of their own, which names their path. */
const elsewhere: Readonly<Record<string, string>> = {
  '/settings/imports': 'imports-exports.test.ts',
  '/settings/terms': '../federation/settings-pages.test.ts',
}

withChromium('a member clicks through the page', () => {
  const place = useBrowser()

  for (const [path, flow] of Object.entries(flows)) it(path, () => runFlow(place, path, flow), 90_000)

  it('of every setting, and every form of it has an effect that is seen elsewhere', () => {
    const known = [...Object.keys(flows), ...Object.keys(elsewhere)]
    expect(settingsPages.map(({ path }) => path).toSorted()).toEqual(known.toSorted())
    for (const [path, file] of Object.entries(elsewhere))
      expect(readFileSync(join(import.meta.dirname, file), 'utf8'), file).toContain(path)
    const forms = settingsPages
      .filter(({ path }) => !Object.hasOwn(elsewhere, path))
      .flatMap(({ routes }) => routes.filter(({ method }) => method === 'POST'))
    const missing = forms.filter(
      ({ path }) =>
        ![...effectiveForms].some((sent) => new RegExp(`^${path.replaceAll(':id', '[0-9]+')}$`).test(sent)),
    )
    expect(missing.map(({ path }) => path)).toEqual([])
  })
})
