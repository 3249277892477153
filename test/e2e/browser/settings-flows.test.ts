import { expect, it } from 'vitest'
import { settingsPages } from '../../../src/web/pages/settings'
import { useBrowser, withChromium } from '../support/browser'
import { accountFlows } from './settings/account-flows'
import { imports } from './settings/import-flow'
import { peopleFlows } from './settings/people-flows'
import { profileFlows } from './settings/profile-flows'
import { effectiveForms, runFlow } from './settings/setting'
import { seeNewTerms } from './settings/terms-flow'
import { twoFactor } from './settings/two-factor-flow'

const flows = {
  ...profileFlows,
  ...peopleFlows,
  ...accountFlows,
  '/settings/two-factor': twoFactor,
  '/settings/imports': imports,
}

withChromium('a member clicks through the page', () => {
  const place = useBrowser()

  for (const [path, flow] of Object.entries(flows)) it(path, () => runFlow(place, path, flow), 90_000)

  it('/settings/terms', () => seeNewTerms(place.browser), 90_000)

  it('of every setting, and every form of it has an effect that is seen elsewhere', () => {
    const known = [...Object.keys(flows), '/settings/terms']
    expect(settingsPages.map(({ path }) => path).toSorted()).toEqual(known.toSorted())
    const forms = settingsPages.flatMap(({ routes }) => routes.filter(({ method }) => method === 'POST'))
    const missing = forms.filter(
      ({ path }) =>
        ![...effectiveForms].some((sent) => new RegExp(`^${path.replaceAll(':id', '[0-9]+')}$`).test(sent)),
    )
    expect(missing.map(({ path }) => path)).toEqual([])
  })
})
