import { Layout } from '../components/layout'
import { PageLinks, type PageLinksProps } from '../components/page-links'
import { StatusCard } from '../components/status-card'
import type { PageProps } from '../site'
import type { StatusView } from '../status-view-model'

export interface PostsPageProps extends PageProps, PageLinksProps {
  readonly statuses: readonly StatusView[]
}

/** What people of this server posted for everybody. Kept out of search engines, as not every author wants to be there. */
export function PostsPage({ site, viewer, statuses, newestUrl, olderUrl }: PostsPageProps) {
  return (
    <Layout {...{ site, viewer }} title="Posts" width="text" isPrivate>
      <section class="status-list" aria-labelledby="posts">
        <h1 id="posts">Posts from {site.title}</h1>
        <p class="lead">
          {newestUrl === null ? 'What people here post for everybody.' : 'What people here posted earlier.'}
        </p>
        {statuses.length === 0 && <p class="muted">Nothing here yet.</p>}
        {statuses.map((status) => (
          <StatusCard status={status} />
        ))}
      </section>
      <PageLinks newestUrl={newestUrl} olderUrl={olderUrl} />
    </Layout>
  )
}
