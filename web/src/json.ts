/** Reads what came as JSON without trusting it: what is missing or of another kind is empty. */

export type Json = Record<string, unknown>;

export function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function text(of: Json, key: string): string {
  const value = of[key];
  return typeof value === "string" ? value : "";
}

export function number(of: Json, key: string): number {
  const value = of[key];
  return typeof value === "number" ? value : 0;
}

export function list(of: Json, key: string): Json[] {
  const value = of[key];
  return Array.isArray(value) ? value.map(record) : [];
}

export function parse(source: string): Json {
  try {
    return record(JSON.parse(source));
  } catch {
    return {};
  }
}
