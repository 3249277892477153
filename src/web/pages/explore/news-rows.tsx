import type { TrendsLink } from '../../../contract/entities/status'
import { useTranslation } from '../../i18n/context'
import { recentPeople } from '../timelines/follow-tag'

/** Pages one below the other, each with its picture, its host, and how many people link to it. */
export function NewsRows({ links }: { readonly links: readonly TrendsLink[] }) {
  return (
    <ul class="rows line-top">
      {links.map((link) => (
        <li>
          <NewsRow link={link} />
        </li>
      ))}
    </ul>
  )
}

function NewsRow({ link }: { readonly link: TrendsLink }) {
  const t = useTranslation()
  const people = recentPeople(link)
  const host = URL.parse(link.url)?.host ?? link.provider_name
  return (
    <a class="row-link tall" href={link.url} rel="nofollow noopener noreferrer">
      {link.image !== null && (
        <img class="thumb" src={link.image} alt="" width="88" height="64" loading="lazy" />
      )}
      <span class="names">
        <small>
          <span class="ltr">{host}</span>
          {people > 0 && <> · {t('client.personInThePastTwoDays', { count: people })}</>}
        </small>
        <b class="wrap" dir="auto" lang={link.language ?? undefined}>
          {link.title === '' ? host : link.title}
        </b>
      </span>
    </a>
  )
}
