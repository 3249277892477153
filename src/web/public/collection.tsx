import { AccountCard } from '../components/account-card'
import { Day } from '../components/day'
import { type AboutLinks, Layout } from '../components/layout'
import type { AccountSummary, PageProps } from '../site'

export interface CollectionView {
  readonly name: string
  /** Text, without markup. */
  readonly description: string
  readonly language: string | null
  readonly tag: { readonly name: string; readonly url: string } | null
  readonly isSensitive: boolean
  readonly updatedAt: Date
}

export interface CollectionPageProps extends PageProps {
  readonly about: AboutLinks
  readonly collection: CollectionView
  readonly owner: AccountSummary & { readonly handle: string }
  readonly members: readonly AccountSummary[]
  readonly isIndexable: boolean
}

/** People somebody recommends, as far as strangers may see them. */
export function CollectionPage(props: CollectionPageProps) {
  const { site, viewer, about, collection, owner, members, isIndexable } = props
  const { name, description, isSensitive } = collection
  const preview = {
    ...{ url: about.url, imageUrl: owner.avatarUrl },
    description:
      description === '' || isSensitive ? `A collection of accounts by ${owner.handle}` : description,
  }
  const title = isSensitive ? `A collection by ${owner.handle}` : name
  return (
    <Layout {...{ site, viewer, title, about, preview }} width="text" isPrivate={!isIndexable}>
      {isSensitive ? (
        <>
          <h1>Sensitive collection</h1>
          <details class="warned">
            <summary class="warning">Show what {owner.handle} collected</summary>
            <section class="card" aria-labelledby="collection">
              <h2 id="collection">
                <bdi>{name}</bdi>
              </h2>
              <CollectionBody {...{ site, collection, owner, members }} />
            </section>
          </details>
        </>
      ) : (
        <section class="card" aria-labelledby="collection">
          <h1 id="collection">
            <bdi>{name}</bdi>
          </h1>
          <CollectionBody {...{ site, collection, owner, members }} />
        </section>
      )}
    </Layout>
  )
}

type BodyProps = Pick<CollectionPageProps, 'site' | 'collection' | 'owner' | 'members'>

function CollectionBody({ site, collection, owner, members }: BodyProps) {
  const { description, language, tag, updatedAt } = collection
  return (
    <>
      {description !== '' && (
        <p class="lead" lang={language ?? undefined} dir="auto">
          {description}
        </p>
      )}
      <p class="muted">
        Collected by{' '}
        <a href={owner.url}>
          <bdi>{owner.handle}</bdi>
        </a>
        , last changed <Day at={updatedAt} />
        {tag !== null && (
          <>
            {' '}
            · <a href={tag.url}>#{tag.name}</a>
          </>
        )}
      </p>
      {members.length === 0 ? (
        <p class="muted">Nobody is in it that everybody may see.</p>
      ) : (
        <ul class="account-list">
          {members.map((account) => (
            <li>
              <AccountCard {...{ account, domain: site.domain }} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
