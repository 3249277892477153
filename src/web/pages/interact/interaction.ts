import type { RemoteInteraction } from '../../../ports/federation'

export type Interaction = RemoteInteraction['interaction']

/** The interaction with a status that a parameter names; a reply for anything else. */
export function interactionOf(asked: string | undefined): Interaction {
  return asked === 'reblog' || asked === 'favourite' ? asked : 'reply'
}
