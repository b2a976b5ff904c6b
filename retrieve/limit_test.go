package retrieve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
)

// TestLists covers a case that defeats embeddings but not lexical matching: each document
// lists forty things, and a query asks for one thing that two documents list.
func TestLists(t *testing.T) {
	const documents, each, questions = 200, 40, 100
	general := strings.Fields("music food paintings stories games gardens photographs history clubs festivals")
	var all []string
	for i, thing := range strings.Fields(things) { // every second thing shares a word with others
		if i%2 == 1 {
			thing += " " + general[i/2%len(general)]
		}
		all = append(all, thing)
	}
	r := rand.New(rand.NewPCG(1, 1))
	have := make([][]string, documents)
	asked := all[:questions]
	for _, thing := range asked { // two documents list it
		for _, d := range r.Perm(documents)[:2] {
			have[d] = append(have[d], thing)
		}
	}
	if testing.Short() {
		t.Skip("encodes 200 lists")
	}
	ctx := t.Context()
	c, err := nsfl.Open(ctx, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var docs []nsfl.Document
	for d := range have {
		for _, i := range r.Perm(len(all) - questions)[:each-len(have[d])] {
			have[d] = append(have[d], all[questions+i])
		}
		r.Shuffle(len(have[d]), func(i, j int) { have[d][i], have[d][j] = have[d][j], have[d][i] })
		docs = append(docs, nsfl.Document{ID: fmt.Sprint(d), Text: fmt.Sprintf("Person %d likes %s.", d, strings.Join(have[d], ", "))})
	}
	if err := c.Add(ctx, docs...); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, thing := range asked {
		found, err := c.Search(ctx, fmt.Sprintf("%q", thing), nsfl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		relevant := 0.0
		for i, h := range found.Hits {
			if slices.Contains(have[number(h.ID)], thing) {
				relevant++
				sum += relevant / float64(i+1) / 2 / questions
			}
		}
	}
	t.Logf("mAP@10 %.4f", sum)
	if sum < 0.95 {
		t.Errorf("mAP@10 is %.4f", sum)
	}
}

const things = `
accordion acorn airship almond anchor antelope apron aquarium archery armadillo asteroid
avocado axolotl bagpipe balloon bamboo banjo banner barometer basalt beaver beehive
beetle biscuit bison blueberry bonfire bonsai boomerang bouquet broccoli buffalo
bumblebee butterfly cactus camel canary candle canoe caramel caravan carousel cashew
castle caterpillar cathedral cedar cello cereal chameleon cheetah cherry chimney chipmunk
cider cinnamon clarinet clover cobra coconut comet compass coral corduroy cork coyote
crab cranberry crater crocodile cuckoo cucumber curry dahlia dandelion denim diamond
dinosaur dolphin domino donkey dragonfly drizzle drum eagle eclipse eel eggplant elephant
ember falcon feather fern ferret fiddle fig firefly flamingo flute fossil fountain frog
fudge galaxy garlic gazelle geyser ginger giraffe glacier goldfish gondola gorilla
granite grapefruit grasshopper guitar hammock hamster harmonica harp hazelnut hedgehog
heron hibiscus hippo honey hornet hurricane hyena iceberg igloo iguana iris ivory jackal
jaguar jasmine jellyfish jigsaw kangaroo kettle kiwi koala lagoon lantern lasagna
lavender leopard lemur lentil lilac lizard llama lobster locust lotus lute lynx macaroni
magnet magnolia mammoth mandolin mango mantis marble marigold marmalade meadow melon
meteor mint mole mongoose moose mosaic mosquito mulberry mushroom mustard nectar
nightingale nutmeg oasis oboe octopus olive onion opal orchid origami ostrich otter
oyster papaya parrot parsley peacock peanut pebble pelican penguin peony pepper piano
pigeon pineapple plum poppy porcupine pottery prairie puffin pumpkin puzzle quail quartz
quilt rabbit raccoon radish raspberry raven reef rhubarb robin rosemary ruby saffron
salmon sapphire sardine saxophone scarecrow scorpion seahorse sequoia shark skunk sloth
snail sparrow spinach squid squirrel starfish stork sunflower swan tadpole tambourine
tango tapestry tarantula thistle thyme tiger toad tofu topaz tornado tortoise toucan
trombone trout truffle trumpet tulip turnip turquoise turtle ukulele vanilla velvet
violin volcano vulture waffle walnut walrus wasp waterfall weasel whale willow windmill
wolf wombat woodpecker xylophone yacht yogurt zebra zucchini`

func number(id string) (n int) {
	fmt.Sscan(id, &n)
	return n
}
