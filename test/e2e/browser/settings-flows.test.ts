import { beforeAll, expect, it } from 'vitest'
import { settingsPages } from '../../../src/web/pages/settings'
import { newWindows, useBrowser, withChromium } from '../support/browser'
import { accountFlows } from './settings/account-flows'
import { imports } from './settings/import-flow'
import { peopleFlows } from './settings/people-flows'
import { profileFlows } from './settings/profile-flows'
import { browserPush } from './settings/push-flow'
import { effectiveForms, runFlow, type Stage } from './settings/setting'
import { seeNewTerms } from './settings/terms-flow'
import { twoFactor } from './settings/two-factor-flow'

const flows = {
  ...profileFlows,
  ...peopleFlows,
  ...accountFlows,
  '/settings/two-factor': twoFactor,
  '/settings/imports': imports,
  '/settings/push': browserPush,
}

withChromium('a member clicks through the page', () => {
  const place = useBrowser()
  let stage: Stage

  beforeAll(async () => {
    const { browser, site } = place
    const windows = await newWindows(browser, { serviceWorkers: 'allow' })
    stage = { browser, site, windows, page: await windows.context.newPage() }
  })

  it.each(Object.entries(flows))('%s', (path, flow) => runFlow(stage, path, flow))

  it('/settings/terms', () => seeNewTerms(place.browser))

  it('every form of every setting has an effect on another page', () => {
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
