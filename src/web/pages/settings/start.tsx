import * as z from 'zod'
import { AccountCard } from '../../components/account-card'
import { AppList } from '../../components/app-list'
import { ButtonLink } from '../../components/button'
import { Layout } from '../../components/layout'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, PageProps } from '../../site'

const title = 'Welcome'

export const startPage = memberPage({
  kind: 'settings',
  path: paths.start,
  title,
  access: 'signed-in',
  menu: { label: 'Choose an app', order: 10 },
  form: z.object({}),
  submissions: [],
  notices: {},
  load: () => ({}),
  view: ({ site, viewer }) => <StartPage site={site} viewer={viewer} />,
})

export interface StartPageProps extends PageProps {
  readonly viewer: AccountSummary
}

/** Next steps for a new account. */
export function StartPage({ site, viewer }: StartPageProps) {
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate>
      <h1>Welcome to {site.title}</h1>
      <section class="card" aria-labelledby="handle">
        <h2 id="handle">This is you</h2>
        <AccountCard account={viewer} domain={site.domain} />
        <p>People on any server of the fediverse find and follow you by the name above. Pass it on.</p>
      </section>
      <AppList site={site} />
      <section class="card" aria-labelledby="next">
        <h2 id="next">Then</h2>
        <p>
          Say hello with <a href={`${paths.tags}/introduction`}>#introduction</a>, add a picture and some
          words to your profile, and follow the people and hashtags you care about: all of that is done in the
          app. Who is here, the <a href={paths.home}>front page</a> shows.
        </p>
        <div class="actions">
          <ButtonLink look="secondary" href={paths.account}>
            Your account
          </ButtonLink>
        </div>
      </section>
    </Layout>
  )
}
