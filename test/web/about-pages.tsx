import { AboutPage } from '../../src/web/pages/about'
import { AppsPage } from '../../src/web/pages/apps'
import type { AccountSummary, RuleText } from '../../src/web/site'
import { Shown } from '../support/shown'
import type { NamedPage, StrangersWords } from './every-page'

interface AboutFrame {
  readonly html: string
  readonly rules: readonly RuleText[]
  readonly account: AccountSummary
}

/** The page about the server, with everything it can have and with nothing. */
export function aboutPages({ account, ...frame }: AboutFrame, words: StrangersWords): readonly NamedPage[] {
  const about = {
    ...frame,
    updatedAt: null,
    contact: { email: null, account },
    staff: [{ account: { ...account, url: `${account.url}/2` }, role: words.displayName }],
    limits: { characters: 500, media: 4, imageMegabytes: 16, videoMegabytes: 99, pollOptions: 4 },
    servers: [
      { domain: 'spam.example', isSuspended: true, comment: words.reason },
      { domain: 'l**d.example', isSuspended: false, comment: '' },
    ],
    terms: [
      { effectiveOn: '2027-01-01', isComing: true },
      { effectiveOn: '2026-01-01', isComing: false },
    ],
    hasDocuments: true,
  }
  return [
    { name: 'about', page: <Shown of={AboutPage} {...about} /> },
    { name: 'apps-by-device', page: <Shown of={AppsPage} /> },
    {
      name: 'about-bare',
      page: (
        <Shown
          of={AboutPage}
          {...about}
          html={null}
          rules={[]}
          servers={null}
          terms={[]}
          staff={[]}
          hasDocuments={false}
        />
      ),
    },
  ]
}
