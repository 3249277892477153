import { Hono } from 'hono'
import type { Account } from '../../contract/entities/account'
import { combineQueries } from '../../db/query'
import { selectCollection, selectCollectionMembers } from '../../domain/collections/find'
import { anonymousViewer } from '../../domain/core/viewer'
import { NotFound } from '../../errors'
import { htmlToText } from '../../lib/html'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { loadAccounts } from '../../view/load/accounts'
import { loadCollections } from '../../view/load/collections'
import { presentAccounts } from '../../view/present/account'
import { presentCollection } from '../../view/present/collection'
import { AccountCard } from '../components/account-card'
import { Day } from '../components/day'
import type { AboutLinks } from '../components/head'
import { Layout } from '../components/layout'
import { summaryOf } from '../contact'
import { wantsJson } from '../error-response'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { openPageWith } from '../page-request'
import { redirectOrWarn } from '../redirect'
import { requireMember } from '../require-member'
import type { AccountSummary } from '../site'
import { fullHandle } from '../status-view'

/** Local collections as visitors see them; remote ones have their pages on their own server. */
export function collectionRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/collections/:id{[0-9]{1,16}}', requireMember, (c) => showCollection(c, Number(c.req.param('id'))))
  app.get('/users/:username/collections/:id{[0-9]{1,16}}', (c) => {
    if (wantsJson(c)) throw new NotFound()
    return c.redirect(`${c.get('ctx').config.origin}/collections/${c.req.param('id')}`, 301)
  })
  return app
}

async function showCollection(c: AppContext, id: number) {
  const ctx = c.get('ctx')
  const { config } = ctx
  const { visit, found } = await openPageWith(
    c,
    combineQueries({
      collections: loadCollections(ctx, anonymousViewer, selectCollection(anonymousViewer, id)),
      accounts: loadAccounts(ctx, selectCollectionMembers(anonymousViewer, id)),
    }),
  )
  const [facts] = found.collections
  if (facts === undefined) throw new NotFound()
  const collection = presentCollection(config, facts)
  const people = presentAccounts(config, found.accounts)
  const owner = people.find((account) => account.id === collection.account_id)
  if (owner === undefined) throw new NotFound()
  if (!collection.local || collection.url === null) return redirectOrWarn(c, collection.url ?? collection.uri)
  const members = collection.items.flatMap((item) => people.filter(({ id: one }) => one === item.account_id))
  const about = { url: collection.url, activityUri: collection.uri }
  const page = {
    about,
    collection: {
      name: collection.name,
      description: htmlToText(collection.description),
      language: collection.language,
      tag: collection.tag,
      isSensitive: collection.sensitive,
      updatedAt: new Date(collection.updated_at),
    },
    owner: { ...summaryOf(owner), handle: fullHandle(config, owner) },
    members: members.map(summaryOf),
    isIndexable: isIndexable(owner, collection),
  }
  return showPublicPage(c, visit, <CollectionPage {...page} />, {
    Link: `<${collection.uri}>; rel="alternate"; type="application/activity+json"`,
  })
}

/** Search engines may index it where its owner allows that for it and for themselves. */
function isIndexable(owner: Account, { discoverable }: { readonly discoverable: boolean }): boolean {
  return discoverable && owner.indexable && owner.limited !== true
}

export interface CollectionView {
  readonly name: string
  /** Text, without markup. */
  readonly description: string
  readonly language: string | null
  readonly tag: { readonly name: string; readonly url: string } | null
  readonly isSensitive: boolean
  readonly updatedAt: Date
}

export interface CollectionPageProps {
  readonly about: AboutLinks
  readonly collection: CollectionView
  readonly owner: AccountSummary & { readonly handle: string }
  readonly members: readonly AccountSummary[]
  readonly isIndexable: boolean
}

/** A collection of accounts, as far as visitors may see them. */
export function CollectionPage(props: CollectionPageProps) {
  const { about, collection, owner, members, isIndexable } = props
  const t = useTranslation()
  const { name, description, isSensitive } = collection
  const preview = {
    url: about.url,
    imageUrl: owner.avatarUrl,
    description:
      description === '' || isSensitive
        ? t('collection.collectionAccountsByHandle', { handle: owner.handle })
        : description,
  }
  const title = isSensitive ? t('collection.collectionByHandle', { handle: owner.handle }) : name
  return (
    <Layout
      title={title}
      heading={isSensitive ? t('collection.sensitiveCollection') : <bdi>{name}</bdi>}
      about={about}
      preview={preview}
      isPrivate={!isIndexable}
    >
      {isSensitive ? (
        <details class="block">
          <summary>{t('collection.showWhatHandleCollected', { handle: owner.handle })}</summary>
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <CollectionBody collection={collection} owner={owner} members={members} />
        </details>
      ) : (
        <div class="block">
          <CollectionBody collection={collection} owner={owner} members={members} />
        </div>
      )}
    </Layout>
  )
}

type BodyProps = Pick<CollectionPageProps, 'collection' | 'owner' | 'members'>

function CollectionBody({ collection, owner, members }: BodyProps) {
  const t = useTranslation()
  const { site } = usePage()
  const { description, language, tag, updatedAt } = collection
  return (
    <>
      {description !== '' && (
        <p class="quiet" lang={language ?? undefined} dir="auto">
          {description}
        </p>
      )}
      <p class="quiet small">
        {t.rich('collection.collectedByHandleLast', {
          handle: <bdi>{owner.handle}</bdi>,
          link: (words) => <a href={owner.url}>{words}</a>,
          day: <Day at={updatedAt} />,
        })}
        {tag !== null && (
          <>
            {' '}
            · <a href={tag.url}>#{tag.name}</a>
          </>
        )}
      </p>
      {members.length === 0 ? (
        <p class="quiet small">{t('collection.nobodyEverybodyMaySee')}</p>
      ) : (
        <ul class="rows">
          {members.map((account) => (
            <li>
              <AccountCard account={account} domain={site.domain} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
