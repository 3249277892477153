import { type Emojis, splitAtEmojis } from '../emojis'

export interface EmojiTextProps {
  readonly text: string
  readonly emojis: Emojis
}

/** A line of user text, with pictures for its custom emojis. */
export function EmojiText({ text, emojis }: EmojiTextProps) {
  return (
    <bdi>
      {splitAtEmojis(text, emojis).map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <img class="emoji" src={piece.url} alt={piece.shortcode} width="20" height="20" />
        ),
      )}
    </bdi>
  )
}
