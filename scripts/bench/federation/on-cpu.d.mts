export function descendantsCalled(name: string): readonly number[]
