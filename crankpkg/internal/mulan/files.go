package mulan

// mulanRevision is the revision of Mulan's public repository that the sizes and
// checksums below were taken from.
const mulanRevision = "43f6389095ad71984264db4387a8074b22bc7d4a"

// catalog lists the data sets that LoadSplit and Fetch know, by name.
var catalog = []catalogSet{
	{
		name:   "bibtex",
		train:  catalogFile{"bibtex-train.arff", 2292961, "8dcc9de6e0b2cebaec8c1f4fac78431adeeb73cfd3ab879b530a66d366e59174"},
		test:   catalogFile{"bibtex-test.arff", 1215637, "9b03329cde64d3f994bdf7fbbac3f3b10fe185c311cb9ae725475f59c7f3f922"},
		labels: catalogFile{"bibtex.xml", 5880, "08fe20013c1e75dcf1888c185f5187c95e76495b8518ce289b4d3afce38d1232"},
	},
	{
		name:   "birds",
		train:  catalogFile{"birds-train.arff", 539367, "8f215db6ee163149901e753977f631ba8bea0e0e8e1abc42b234414822f8ae36"},
		test:   catalogFile{"birds-test.arff", 540883, "51ba6326d65ccdd7c755b6461280eb6d2769c7f59d8e12fd4250f91e6ca28326"},
		labels: catalogFile{"birds.xml", 889, "0f4ea547b2b3d538c8402662daf689e0d4520cc8b4f5ba113c2e7c01700f010f"},
	},
	{
		name:   "cal500",
		whole:  catalogFile{"cal500.arff", 492857, "cfe6097ba5fd6e8584e54911ab9783dcab34e898446b7c9370c71d477eae56d3"},
		labels: catalogFile{"cal500.xml", 7901, "877e128531268d7661faa3e44f7bb43cbcda829c0895e49879168775b192728c"},
	},
	{
		name:   "corel5k",
		train:  catalogFile{"Corel5k-train-sparse.arff", 339535, "19eb253c447144bea74ffa86b4731a56022addae2ba7d0aab72ad07fdc02e9b3"},
		test:   catalogFile{"Corel5k-test-sparse.arff", 60876, "e8f8e9cd052c43ba7bdfdf99d242f461fc8c2a03163466d921e576887b51d8a7"},
		labels: catalogFile{"Corel5k.xml", 11222, "54ef6a6ccb7ca9b77524052b34b306d5d501661a5609b9d1cc7085b2b597679d"},
	},
	{
		name:   "delicious",
		train:  catalogFile{"delicious-train.arff", 3056590, "030186cdb542ebdd32052fcdbb1ebe30115b3a22518c1b4b198c45eb827aebe1"},
		test:   catalogFile{"delicious-test.arff", 757565, "2dfb01723a819914b0ca83361177ed413ce3f2169851d9f228d4692915d63944"},
		labels: catalogFile{"delicious.xml", 34303, "4e0c0f93c7d86a39b9fca4aaefaa00e9428f2c80277732dfbf03ca48e2c14da2"},
	},
	{
		name:    "emotions",
		builtIn: true,
		train:   catalogFile{"emotions-train.arff", 252080, "bbe704106c79bb8fb99c1d1d2e9bde081d6a2daeb01f100862f11fd91a3c1f98"},
		test:    catalogFile{"emotions-test.arff", 132007, "f13d4b746b7b5c8eb484bd751d6ac463d4560dff998a93516a5c1fe35daf6c8f"},
		labels:  catalogFile{"emotions.xml", 323, "dbce8e6ccbbb2fcbfd9e9edbb230d7ed12692c6e13f59fdbc0161fa9b6cf2dc0"},
	},
	{
		name:   "enron",
		train:  catalogFile{"enron-train.arff", 607799, "2988cefc1cdf7a8004a20ef84615cc8fa1b5d7434c16687283b41454e2d9d194"},
		test:   catalogFile{"enron-test.arff", 324140, "2f3aad54a8f54caaab4ab01246fe9dd385ba944a2633028f52747b57eac5474e"},
		labels: catalogFile{"enron.xml", 1604, "ed40c92d7f613eed51714912cab10dddc4ce456262137d8fef230d44c7f4457b"},
	},
	{
		name:    "flags",
		builtIn: true,
		train:   catalogFile{"flags-train.arff", 7707, "1861cdab7f8baf1aef6fb6198f304465ddfd99b7f9a435337c604119522df3c5"},
		test:    catalogFile{"flags-test.arff", 4218, "09f6136fae47dcc2f0f491efd6401a11072cbfb0bfbb2666c63b35bb06aeeb16"},
		labels:  catalogFile{"flags.xml", 304, "7c9ed21a91b716b91f811323e20ee5a260ea2da62a5edcfeb1b91ec855a48f17"},
	},
	{
		name:   "genbase",
		drop:   []string{"protein"}, // names the row
		train:  catalogFile{"genbase-train.arff", 1714007, "37670db2c2b308a1c163d05501819526f1d65d659638ddfb76812d4ce384b5c6"},
		test:   catalogFile{"genbase-test.arff", 758739, "0e988520bedab39aa3f23f08f646c769bcdb6f9119ee298fd92b37127b226a36"},
		labels: catalogFile{"genbase.xml", 992, "198e8a1d7070e9603119e02e626cedc589db7577339b307b06f5192047b69eb9"},
	},
	{
		name:    "medical",
		builtIn: true,
		train:   catalogFile{"medical-train.arff", 69680, "c764f45756ab1c553b8b4eaaf5605a5610a43bbbcf37492d0f1a12bf9c9e2244"},
		test:    catalogFile{"medical-test.arff", 99124, "6be472e75a6c0b0916187f343a398011b1b26f8f0ddc682c575312ad3532f6c4"},
		labels:  catalogFile{"medical.xml", 1818, "51fa9d5c09e48caff3f0a0c75db1c9aa85944f8e35451f3ad8bd56fc422286ce"},
	},
	{
		name:    "scene",
		builtIn: true,
		train:   catalogFile{"scene-train.arff", 3127968, "b53ba93bdf412de922e3960389bcee24744fa3e872ce610511fc1d750888b64d"},
		test:    catalogFile{"scene-test.arff", 3090742, "ea38d20296b3ff7e220f477a3b802a9bcb2d768881fe6ee163efbc97ea527a42"},
		labels:  catalogFile{"scene.xml", 285, "55d8b247b949ad5c52e5a73d8c6775ec6e5469ce9682465b45b333b68ee4bcc5"},
	},
	{
		name:    "yeast",
		builtIn: true,
		train:   catalogFile{"yeast-train.arff", 1501117, "e759dc991ff54694a4ff9c4314f3be0d6fd2b1994a4b563f57e416394c6aebbd"},
		test:    catalogFile{"yeast-test.arff", 918515, "4aaac102bff9669a765bf0b378602e5cc8c3b181048282e2f003117b496d552a"},
		labels:  catalogFile{"yeast.xml", 526, "c3056cc26444b5158b1588d1b73bec9c45429e10f0957ad085903423cb81f247"},
	},
}
