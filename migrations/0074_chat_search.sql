-- The desk finds what is inside a word, and in scripts that put no spaces between words: a message is found by its pairs of neighbouring characters.
-- +goose Up
CREATE FUNCTION chat_pairs(words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 -- it is dear: the index has it done
RETURN (
    SELECT coalesce(array_agg(DISTINCT pair), '{}')
    FROM (
        SELECT sign || lead(sign) OVER (ORDER BY place) AS pair
        FROM unnest(string_to_array(translate(lower(words), E'\n\r\t', '   '), NULL)) WITH ORDINALITY AS list (sign, place)
    ) pairs
    WHERE pair NOT LIKE '% %'
);
DROP INDEX chat_messages_words;
CREATE INDEX chat_messages_pairs ON chat_messages USING gin (chat_pairs(body)) WHERE kind <> 'event';

-- +goose Down
DROP INDEX chat_messages_pairs;
DROP FUNCTION chat_pairs;
CREATE INDEX chat_messages_words ON chat_messages USING gin (to_tsvector('simple', body));
