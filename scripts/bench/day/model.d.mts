export const sizes: readonly number[]
export function actionsOf(people: number, follows?: number): Readonly<Record<string, number>>
