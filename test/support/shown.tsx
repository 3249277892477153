import type { Child } from 'hono/jsx'
import { explorePlaces } from '../../src/web/explore-places'
import { emptyPage, type Page, PageProvider } from '../../src/web/page-context'

const site = {
  title: 'Hedgerow',
  domain: 'hedgerow.example',
  host: 'social.hedgerow.example',
  version: '0.1.0',
  sourceUrl: 'https://source.example/fieldfare',
  hasTerms: true,
  start: '/home',
  client: null,
  logo: null,
  accentSheet: null,
  ownSheet: null,
  customSheet: null,
  places: explorePlaces,
}

type ShownProps<P> = NoInfer<P> & Partial<Page> & { readonly of: (props: P) => Child }

/** A page as a request shows it: properties of its context stand among its own. */
export function Shown<P>(props: ShownProps<P>) {
  const { of: View } = props
  const { site: ofPage = site, viewer, csrfToken, errors, message, adminPath } = props
  const given = { ...emptyPage, csrfToken: 'a-token-against-forgery' }
  return (
    <PageProvider
      value={{
        ...given,
        site: ofPage,
        viewer: viewer ?? null,
        csrfToken: csrfToken ?? given.csrfToken,
        errors: errors ?? {},
        message: message ?? null,
        adminPath: adminPath ?? null,
      }}
    >
      <View {...props} />
    </PageProvider>
  )
}
