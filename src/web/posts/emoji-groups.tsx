import type { Child } from 'hono/jsx'
import type { CustomEmoji } from '../../contract/entities/custom-emoji'
import { useTranslation } from '../i18n/context'
import { usualEmojis } from './usual-emojis'

export interface EmojiGroupsProps {
  readonly emojis: readonly CustomEmoji[]
  /** Name of the buttons, and the value of one for an emoji of Unicode or of this server. */
  readonly name: string
  readonly valueFor: (emoji: { readonly unicode: string } | { readonly shortcode: string }) => string
}

/** The emojis of this server by category, and usual ones of Unicode by kind, each a button of a form. */
export function EmojiGroups({ emojis, name, valueFor }: EmojiGroupsProps) {
  const t = useTranslation()
  const categories = Map.groupBy(emojis, ({ category }) => category ?? null)
  return (
    <>
      {[...categories].map(([category, some]) => (
        <EmojiGroup title={category ?? t('client.react.emojisOfThisServer')}>
          {some.map(({ shortcode, static_url: url }) => (
            <button
              type="submit"
              class="chip"
              name={name}
              value={valueFor({ shortcode })}
              title={`:${shortcode}:`}
            >
              <img class="emoji" src={url} alt={`:${shortcode}:`} width="24" height="24" loading="lazy" />
            </button>
          ))}
        </EmojiGroup>
      ))}
      {usualEmojis.map(({ title, emojis: some }) => (
        <EmojiGroup title={t(title)}>
          {some.map((emoji) => (
            <button type="submit" class="chip" name={name} value={valueFor({ unicode: emoji })}>
              {emoji}
            </button>
          ))}
        </EmojiGroup>
      ))}
    </>
  )
}

function EmojiGroup({ title, children }: { readonly title: string; readonly children: Child }) {
  return (
    <fieldset>
      <legend>
        <bdi>{title}</bdi>
      </legend>
      <div class="chips">{children}</div>
    </fieldset>
  )
}
