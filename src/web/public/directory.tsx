import { Layout } from '../components/layout'
import { People, type PersonView } from '../components/person-card'
import type { PageProps } from '../site'

export interface DirectoryPageProps extends PageProps {
  readonly people: readonly PersonView[]
  readonly previousUrl: string | null
  readonly nextUrl: string | null
}

/** People of this server who want to be found, whoever posted last first. */
export function DirectoryPage({ site, viewer, people, previousUrl, nextUrl }: DirectoryPageProps) {
  return (
    <Layout {...{ site, viewer }} title="People" width="wide" isPrivate>
      <section class="card" aria-labelledby="people">
        <h1 id="people">People on {site.title}</h1>
        <p class="lead">Those who want to be found, whoever posted last first.</p>
        {people.length === 0 ? <p class="muted">Nobody here yet.</p> : <People people={people} />}
      </section>
      {(previousUrl !== null || nextUrl !== null) && (
        <nav class="actions" aria-label="Pages">
          {previousUrl !== null && (
            <a class="button button-secondary" href={previousUrl} rel="prev">
              Back
            </a>
          )}
          {nextUrl !== null && (
            <a class="button button-secondary" href={nextUrl} rel="next">
              More people
            </a>
          )}
        </nav>
      )}
    </Layout>
  )
}
