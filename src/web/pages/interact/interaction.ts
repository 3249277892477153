/** Interactions with an account or a status of another server. */
export const interactions = ['follow', 'reply', 'reblog', 'favourite'] as const
export type Interaction = (typeof interactions)[number]

/** The interaction with a status that a parameter names; a reply for anything else. */
export function interactionOf(asked: string | undefined): Interaction {
  return asked === 'reblog' || asked === 'favourite' ? asked : 'reply'
}
