import type { CardView } from '../status-view-model'

export interface LinkCardProps {
  readonly card: CardView
  /** The picture may be as sensitive as the status. */
  readonly isSensitive: boolean
}

/** Preview of the page a status links to, in the words of that page. */
export function LinkCard({ card, isSensitive }: LinkCardProps) {
  const { url, title, description, provider, imageUrl } = card
  return (
    <a class="link-card" href={url} rel="nofollow noopener noreferrer">
      {imageUrl !== null && !isSensitive && <img src={imageUrl} alt="" loading="lazy" />}
      <span class="link-card-text">
        <span class="muted">{provider}</span>
        <strong>{title}</strong>
        {description !== '' && <span class="link-card-description">{description}</span>}
      </span>
    </a>
  )
}
